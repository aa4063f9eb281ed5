"""Local language models and their fine-tuning, on tiny models with random weights."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("peft")

import torch
from tests.biomedrag.tiny_causal import byte_tokenizer, save_tiny_model

from biochunk.biomedrag.items import Example, Gold
from biochunk.biomedrag.readers.llm import Completion, LanguageModel, LanguageModelReader, LocalLanguageModel
from biochunk.biomedrag.readers.llm.causal import answer_tokens, load_causal, prompt_tokens
from biochunk.biomedrag.readers.llm.lora import LoraOptions, Trained, train_lora
from biochunk.biomedrag.readers.llm.prompt import Lesson
from biochunk.errors import BiochunkError, MissingExtraError, UsageError

LESSONS = [Lesson("Context: rash.\nResponse:", "1"), Lesson("Context: fever!\nResponse:", "0 \n x")]
# A tiny model needs a high rate to learn that fast.
QUICK = LoraOptions(epochs=40, learning_rate=0.01, batch_size=2, dropout=0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("models") / "llama")


@pytest.fixture(scope="module")
def adapter(folder: Path) -> tuple[Path, Trained]:
    return folder.parent / "adapter", train_lora(folder, LESSONS, folder.parent / "adapter", options=QUICK)


def test_greedy_answers_in_order(folder: Path):
    model = LocalLanguageModel(folder, max_tokens=5)
    assert isinstance(model, LanguageModel)
    first = list(model.complete(["a", "bb", "a"]))
    assert first[0] == first[2]
    assert first == list(LocalLanguageModel(folder, max_tokens=5).complete(["a", "bb", "a"]))
    assert [(done.prompt_tokens, done.completion_tokens, done.cut) for done in first] == [
        (1, 5, True),
        (2, 5, True),
        (1, 5, True),
    ]


def test_answer_is_what_the_model_finds_most_likely(folder: Path):
    model, tokenizer = load_causal(folder, device="cpu")
    ids = tokenizer("Aspirin")["input_ids"]
    expected = []
    for _ in range(4):
        with torch.inference_mode():
            expected.append(int(model(torch.tensor([ids + expected])).logits[0, -1].argmax()))
    (done,) = LocalLanguageModel(folder, max_tokens=4, device="cpu").complete(["Aspirin"])
    assert done.text == tokenizer.decode(expected, skip_special_tokens=True)


def test_batches_give_the_same_answers(folder: Path):
    prompts = ["a", "much longer than that", "b", "cc", ""][:4]
    alone = list(LocalLanguageModel(folder, max_tokens=6).complete(prompts))
    assert list(LocalLanguageModel(folder, max_tokens=6, batch_size=3).complete(prompts)) == alone


def test_settings_of_the_folder_do_not_change_the_answer(folder: Path, tmp_path: Path):
    other = save_tiny_model(tmp_path / "sampling")
    path = other / "generation_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "do_sample": True, "temperature": 5.0}))
    expected = list(LocalLanguageModel(folder, max_tokens=8).complete(["a"]))
    assert list(LocalLanguageModel(other, max_tokens=8).complete(["a"])) == expected


def test_prompt_that_is_too_long_is_a_failure(tmp_path: Path):
    model = LocalLanguageModel(save_tiny_model(tmp_path / "short", length=32), max_tokens=8, batch_size=2)
    done = list(model.complete(["a" * 24, "a" * 25, "b"]))
    assert [d.failure for d in done] == ["", "too_long", ""]
    assert "25 tokens" in done[1].detail


def test_lone_surrogate_in_a_prompt(folder: Path):
    (done,) = LocalLanguageModel(folder, max_tokens=2).complete(["IL-6 \ud83e rose"])
    assert done.failure == ""


def test_chat_template_is_used_where_there_is_one():
    plain, chat = byte_tokenizer(False), byte_tokenizer(True)
    assert plain.decode(prompt_tokens(plain, "Hi")) == "Hi"
    assert chat.decode(prompt_tokens(chat, "Hi")) == "<|user|>Hi<|end|><|assistant|>"
    assert plain.decode(answer_tokens(plain, "None")) == " None<|end|>"
    assert chat.decode(answer_tokens(chat, "None")) == "None<|end|>"


def test_tokenizer_without_an_end():
    tokenizer = byte_tokenizer(False)
    tokenizer.eos_token = None
    with pytest.raises(BiochunkError, match="end-of-text"):
        answer_tokens(tokenizer, "None")


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
@pytest.mark.parametrize("chat", [False, True])
def test_trained_model_gives_the_answers(tmp_path: Path, kind: str, chat: bool):
    folder = save_tiny_model(tmp_path / "model", kind=kind, chat=chat)
    before = (folder / "model.safetensors").read_bytes()
    trained = train_lora(folder, LESSONS, tmp_path / "adapter", options=QUICK)
    assert trained.losses[-1] < trained.losses[0]
    assert (folder / "model.safetensors").read_bytes() == before
    done = LocalLanguageModel(folder, adapter=tmp_path / "adapter", max_tokens=12).complete([p for p, _ in LESSONS])
    assert [d.text.strip() for d in done] == [answer for _, answer in LESSONS]
    assert [d.text.strip() for d in LocalLanguageModel(folder, max_tokens=12).complete([LESSONS[0].prompt])] != ["1"]


def test_adapter_folder_holds_safetensors_and_how_it_was_made(adapter: tuple[Path, Trained]):
    path, trained = adapter
    assert sorted(file.name for file in path.iterdir()) == [
        "adapter_config.json",
        "adapter_model.safetensors",
        "training.json",
    ]
    facts = json.loads((path / "training.json").read_text())
    assert facts["losses"] == trained.losses
    assert facts["options"]["rank"] == 8


def test_same_seed_same_bytes_other_seed_others(folder: Path, tmp_path: Path):
    def files(name: str, seed: int) -> dict[str, bytes]:
        options = LoraOptions(epochs=2, dropout=0.3, batch_size=1, seed=seed)
        train_lora(folder, LESSONS, tmp_path / name, options=options)
        return {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}

    first = files("a", 1)
    assert files("b", 1) == first
    assert files("c", 2)["adapter_model.safetensors"] != first["adapter_model.safetensors"]


def test_loss_counts_the_answer_alone(folder: Path, tmp_path: Path):
    """With a rate near 0 the loss of the first epoch is that of the model as it is."""
    prompt, answer = LESSONS[1]
    options = LoraOptions(epochs=1, learning_rate=1e-12, dropout=0.0)
    trained = train_lora(folder, LESSONS[1:], tmp_path / "adapter", options=options)
    model, tokenizer = load_causal(folder)
    asked, wanted = prompt_tokens(tokenizer, prompt), answer_tokens(tokenizer, answer)
    with torch.inference_mode():
        scores = model(torch.tensor([asked + wanted], device=model.device)).logits[0].log_softmax(-1)
    expected = -sum(float(scores[len(asked) - 1 + i, token]) for i, token in enumerate(wanted)) / len(wanted)
    assert trained.losses == [pytest.approx(expected, rel=1e-4)]


def test_lessons_that_are_too_long_are_left_out_and_counted(folder: Path, tmp_path: Path):
    options = LoraOptions(epochs=1, max_length=40)
    lessons = [*LESSONS, Lesson("x" * 100, "1")]
    assert train_lora(folder, lessons, tmp_path / "adapter", options=options).too_long == 1
    with pytest.raises(UsageError, match="1 lessons of more than 40 tokens"):
        train_lora(folder, lessons[2:], tmp_path / "other", options=options)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"rank": 0},
        {"epochs": 0},
        {"batch_size": 0},
        {"max_length": 0},
        {"learning_rate": 0.0},
        {"learning_rate": float("nan")},
        {"alpha": -1.0},
        {"dropout": 1.0},
    ],
)
def test_wrong_training_option(folder: Path, tmp_path: Path, wrong: dict[str, Any]):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        train_lora(folder, LESSONS, tmp_path / "adapter", options=LoraOptions(**wrong))


@pytest.mark.parametrize("wrong", [{"max_tokens": 0}, {"batch_size": 0}])
def test_wrong_option(folder: Path, wrong: dict[str, int]):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        LocalLanguageModel(folder, **wrong)


def test_loss_that_is_no_number(folder: Path, tmp_path: Path):
    with pytest.raises(BiochunkError, match="learning_rate"):
        train_lora(folder, LESSONS, tmp_path / "adapter", options=LoraOptions(epochs=9, learning_rate=1e30))


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        (lambda path: [file.unlink() for file in path.iterdir()], BiochunkError, "cannot be loaded"),
        (lambda path: (path / "model.safetensors").unlink(), BiochunkError, "safetensors"),
        (lambda path: (path / "config.json").write_text("{"), BiochunkError, "cannot be loaded"),
        (lambda path: path.rename(path.with_name("away")), UsageError, "found no folder"),
    ],
)
def test_folder_without_a_model(tmp_path: Path, spoil: Any, error: type[Exception], message: str):
    path = save_tiny_model(tmp_path / "model")
    spoil(path)
    with pytest.raises(error, match=message):
        list(LocalLanguageModel(path).complete(["a"]))


def test_weights_in_pickle_are_refused(tmp_path: Path):
    path = save_tiny_model(tmp_path / "model")
    model, _ = load_causal(path)
    torch.save(model.state_dict(), path / "pytorch_model.bin")
    (path / "model.safetensors").unlink()
    with pytest.raises(BiochunkError, match="safetensors"):
        list(LocalLanguageModel(path).complete(["a"]))


def test_adapter_that_is_none_or_of_another_model(folder: Path, adapter: tuple[Path, Trained], tmp_path: Path):
    with pytest.raises(UsageError, match=r"adapter_config\.json"):
        list(LocalLanguageModel(folder, adapter=folder).complete(["a"]))
    other = save_tiny_model(tmp_path / "gpt2", kind="gpt2")
    with pytest.raises(BiochunkError, match="does not fit"):
        list(LocalLanguageModel(other, adapter=adapter[0]).complete(["a"]))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_gpu_that_is_not_there(folder: Path):
    with pytest.raises(UsageError, match="no GPU"):
        list(LocalLanguageModel(folder, device="cuda").complete(["a"]))


def test_packages_that_are_not_installed(
    folder: Path, adapter: tuple[Path, Trained], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(MissingExtraError, match=r"'peft'.*biochunk\[llm-train\]"):
        train_lora(folder, LESSONS, tmp_path / "adapter")
    with pytest.raises(MissingExtraError, match=r"'peft'.*biochunk\[llm-train\]"):
        list(LocalLanguageModel(folder, adapter=adapter[0]).complete(["a"]))
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match="'transformers'"):
        list(LocalLanguageModel(folder).complete(["a"]))


def test_reader_over_a_local_model(folder: Path, tmp_path: Path):
    """The reader's own prompts are learned and answered: an untrained model fails the same task."""
    rows = [Example("a", "Rash after penicillin."), Example("b", "Fever of unknown origin.")]
    gold = [Gold(label=1), Gold(label=0)]

    def answers(model: LocalLanguageModel) -> tuple[list[int | None], LanguageModelReader]:
        reader = LanguageModelReader(model, examples=0)
        reader.fit(rows, gold, task="label", relations=["ADE"])
        return [answer.label for answer in reader.predict(rows)], reader

    _, reader = answers(LocalLanguageModel(folder, max_tokens=4))
    assert reader.report.answers < 2
    train_lora(folder, reader.prompter.lessons(rows, gold), tmp_path / "adapter", options=QUICK)
    found, reader = answers(LocalLanguageModel(folder, adapter=tmp_path / "adapter", max_tokens=4))
    assert found == [1, 0]
    assert reader.report.answers == 2


def test_model_is_loaded_at_the_first_use():
    model = LocalLanguageModel("no/such/folder")
    with pytest.raises(UsageError, match="no/such/folder"):
        next(model.complete(["a"]))
    assert Completion("x").failure == ""
