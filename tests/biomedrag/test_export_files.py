"""Every file of the export, read as BioMedRAG's scripts read it."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.biomedrag import biomedrag_scripts as scripts
from tests.pipeline.conftest import COMPONENTS, RELATIONS, build, dataset

from biochunk.biomedrag.export import Settings, export_biomedrag
from biochunk.biomedrag.export.separators import safe
from biochunk.biomedrag.from_doc import read_sentences
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import BiochunkError, UsageError

VERBS = {"INHIBITS": "inhibits", "STIMULATES": "activates", "CAUSES": "causes"}
DRUGS = ("Aspirin", "Ibuprofen", "Warfarin", "Metformin", "Naproxen", "Heparin")
TARGETS = ("COX-2", "protein C", "pain in patients", "thrombin", "a disease", "two proteins")


def record(key, head, relation, tail, *, before="In mice ", after=" in the presence of a drug.", pairs=False):
    text = f"{before}{head} {VERBS.get(relation, 'and')} {tail}{after}"
    places = [(before, head), (text[: text.index(tail, len(before) + len(head))], tail)]
    entities = [
        Entity(id=f"e{n}", start=len(prefix), end=len(prefix) + len(name), text=name)
        for n, (prefix, name) in enumerate(places)
    ]
    triples = [Triple(head="e0", relation=relation, tail="e1")] if relation in VERBS else []
    meta = {"pairs": [["e0", "e1"]]} if not triples else {}
    return Record(id=key, dataset="d", split="s", text=text, entities=entities, triples=triples, meta=meta)


def corpus(split, shift):
    """Eighteen sentences of our own; one in four pairs has no relation."""
    relations = ("INHIBITS", "STIMULATES", "CAUSES", "None")
    return [
        record(f"{split}{n}", DRUGS[n % 6], relations[(n + shift) % 4], TARGETS[(n * 5 + shift) % 6], before=before)
        for n, before in enumerate(("In mice ", "We saw that ", "")[n % 3] for n in range(18))
    ]


TRAIN, DEV, TEST = corpus("train", 0), corpus("dev", 1), corpus("test", 2)


@pytest.fixture(scope="module")
def nlp():
    return build(COMPONENTS, dataset(), False, {})


@pytest.fixture(scope="module")
def folder(nlp, tmp_path_factory):
    path = tmp_path_factory.mktemp("export")
    export_biomedrag(path, nlp, train=TRAIN, dev=DEV, test=TEST)
    return path


def expected_rows(records):
    rows = []
    for one in records:
        names = {entity.id: entity.text for entity in one.entities}
        found = [(t.relation, names[t.head], names[t.tail]) for t in one.triples]
        found += [] if found else [("None", *(names[key] for key in pair)) for pair in one.meta["pairs"]]
        rows += [(r, safe(h).text, safe(t).text, safe(one.text).text) for r, h, t in found]
    return rows


def check_as_scripts_do(folder, records):
    """All that the scripts take for granted. records: By split."""
    entries = scripts.store(folder)
    for split, found in records.items():
        rows = expected_rows(found)
        assert scripts.rows(folder, split) == rows
        if split == "dev":
            continue
        for name in ("data_chucks_5", "data_topn_chucks_5", "chuck5_s_r_llama2_13b_right_one"):
            assert len(scripts.json_lines(folder / f"{split}_{name}.json")) == len(rows)
        for line, row in zip(scripts.json_lines(folder / f"{split}_data_chucks_5.json"), rows, strict=True):
            assert (line["relation"], line["head"], line["tail"]) == row[:3]
            assert line["sentence"] == " ".join(word for word in row[3].split(" ") if word)
            stored = [pair for one in line["all_chucks"] for value in one.values() for pair in zip(*value, strict=True)]
            assert stored
            assert set(stored) <= set(entries)
        made = [line["instruction"] for line in scripts.json_lines(_scorer(folder, split))]
        assert scripts.scorer_instructions(folder, split) == made
        scripts.scorer_inputs(folder, split)
        picks = [line["topn_sim_chuck"] for line in scripts.json_lines(folder / f"{split}_data_topn_chucks_5.json")]
        assert picks == scripts.first_of_five(folder, split)
        for (evidence,), pick in zip(scripts.chosen_evidence(folder, split), picks, strict=True):
            assert (evidence[0].strip(), evidence[1]) in pick.items()
        lines = scripts.json_lines(folder / f"{split}_chuck_5_triplet_llama2_13b_right_0.json")
        for line, (_, possible) in zip(lines, scripts.generator_instructions(folder, split), strict=True):
            assert line["instruction"] in possible
        triples = [(head, relation, tail) for relation, head, tail, _ in rows]
        assert [scripts.scored_gold(line) for line in lines] == triples
        demos = scripts.json_lines(folder / f"KNN_demo_{split}.json")
        assert [scripts.scored_gold(line) for line in demos] == triples


def _scorer(folder, split):
    return folder / f"{split}_chuck_instruction_5_llama13b_right.json"


def test_every_file_is_read_as_the_scripts_read_it(folder):
    check_as_scripts_do(folder, {"train": TRAIN, "dev": DEV, "test": TEST})


def test_definitions_are_those_of_the_pipeline(folder):
    found = scripts.definitions(folder)
    assert found.pop("None")
    assert found == {name: relation["definition"] for name, relation in RELATIONS.items()}


def test_store_holds_each_chunk_of_a_relation_once(folder):
    chunks, entries = scripts.chunks_of_relations(folder), scripts.store(folder)
    assert (folder / "relation_with_chucks_5.txt").read_bytes() == (folder / "relation_with_chucks_5.json").read_bytes()
    assert {key: len(all_) for key, all_ in chunks.items()} == {
        "INHIBITS": 8,
        "STIMULATES": 10,
        "CAUSES": 10,
        "None": 8,
    }
    assert entries == [(chunk, relation) for relation in chunks for chunk in dict.fromkeys(chunks[relation])]


def test_stored_chunks_stand_in_ascending_similarity(folder, nlp):
    encoder = nlp.get_pipe("hybrid_selector").encoder
    for line in scripts.json_lines(folder / "train_data_chucks_5.json"):
        for one in line["all_chucks"]:
            ((chunk, (stored, _)),) = one.items()
            assert len(stored) == 5
            similarities = encoder.encode(stored) @ encoder.encode([chunk])[0]
            assert all(first <= second + 1e-5 for first, second in pairwise(similarities))


def test_stored_chunks_are_ranked_against_their_gold_relation(folder, nlp):
    texts = [(one.id, one.text) for one in DEV if [t.relation for t in one.triples] == ["CAUSES"]]
    best = [piece.text for found in read_sentences(nlp, texts, target="CAUSES") for piece in found.pieces[:2]]
    assert scripts.chunks_of_relations(folder)["CAUSES"] == best
    assert best != [piece.text for found in read_sentences(nlp, texts) for piece in found.pieces[:2]]


def test_prompts_show_the_picked_chunk_that_is_most_similar(folder, nlp):
    encoder = nlp.get_pipe("hybrid_selector").encoder
    others = 0
    for line, (evidence,) in zip(
        scripts.json_lines(folder / "train_data_chucks_5.json"), scripts.chosen_evidence(folder, "train"), strict=True
    ):
        pairs = [(chunk, stored[0][0]) for one in line["all_chucks"] for chunk, stored in one.items()]
        similarities = [np.dot(*encoder.encode(pair)) for pair in pairs]
        shown = [s for s, (_, stored) in zip(similarities, pairs, strict=True) if stored == evidence[0].strip()]
        assert max(shown) >= max(similarities) - 1e-5
        others += pairs[0][1] != evidence[0].strip()
    assert others


def test_vectors_are_those_of_the_lines(folder, nlp):
    encoder = nlp.get_pipe("hybrid_selector").encoder
    for texts, array in (
        ([chunk for chunk, _ in scripts.store(folder)], "retrived_chucks_5.npy"),
        (scripts.text_lines(folder / "all_candiate_chunks_5.txt"), "all_posible_chuck_vector_5_llama2_13b.npy"),
    ):
        vectors = np.load(folder / array, allow_pickle=False)
        assert vectors.dtype == np.float32
        np.testing.assert_array_equal(vectors, encoder.encode(texts))


def test_demonstration_is_another_sentence_of_train(folder):
    for line in scripts.json_lines(folder / "KNN_demo_train_RE.json"):
        demo = line["instruction"].split("1. Context:")[1].split(" Response:")
        assert demo[0] != line["context"]
        assert (demo[0], demo[1].removesuffix(" 2. Context:{}.")) in {(r[3], r[0]) for r in expected_rows(TRAIN)}


def test_categories(folder):
    for name, category in (("KNN_demo_train_RE", "relation_extraction"), ("KNN_demo_test", "triplet_extraction")):
        assert {line["category"] for line in scripts.json_lines(folder / f"{name}.json")} == {category}


def test_two_runs_give_the_same_bytes(folder, nlp, tmp_path):
    export_biomedrag(tmp_path, nlp, train=TRAIN, dev=DEV, test=TEST)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in folder.iterdir()}


def test_a_sentence_never_finds_its_own_chunks(nlp, tmp_path):
    report = export_biomedrag(tmp_path, nlp, train=TRAIN, dev=DEV, test=DEV)
    assert report.splits["test"]["sentences kept from own chunks"] == len(DEV)
    assert report.splits["train"]["sentences kept from own chunks"] == 0
    chunks = scripts.chunks_of_relations(tmp_path)
    for line, one in zip(scripts.json_lines(tmp_path / "test_data_chucks_5.json"), DEV, strict=True):
        own = {chunk for chunk in chunks[line["relation"]] if chunk in " ".join(one.text.split())}
        served = {text for asked in line["all_chucks"] for texts, _ in asked.values() for text in texts}
        assert own
        assert not {chunk for chunk in served & own if one.entities[0].text in chunk and one.entities[1].text in chunk}


def test_nearest_pick_takes_the_last_of_the_five(nlp, tmp_path):
    export_biomedrag(tmp_path, nlp, train=TRAIN, dev=DEV, settings=Settings(pick="nearest"))
    for line in scripts.json_lines(tmp_path / "train_data_topn_chucks_5.json"):
        last = {texts[-1]: relations[-1] for one in line["all_chucks"] for texts, relations in one.values()}
        assert line["topn_sim_chuck"] == last


def test_seed_changes_only_the_pairs_around_chunks(folder, nlp, tmp_path):
    export_biomedrag(tmp_path, nlp, train=TRAIN, dev=DEV, test=TEST, settings=Settings(seed=1))
    changed = [path.name for path in folder.iterdir() if path.read_bytes() != (tmp_path / path.name).read_bytes()]
    generator = "_chuck_5_triplet_llama2_13b_right_0.json"
    assert set(changed) == {f"train{generator}", f"test{generator}", "report.json"}


def test_longer_vectors_are_filled_up_with_zeros(folder, nlp, tmp_path):
    export_biomedrag(tmp_path, nlp, train=TRAIN, dev=DEV, test=TEST, settings=Settings(vector_size=20))
    name = "all_posible_chuck_vector_5_llama2_13b.npy"
    long, short = np.load(tmp_path / name), np.load(folder / name)
    assert long.shape == (len(short), 20)
    np.testing.assert_array_equal(long[:, : short.shape[1]], short)
    assert not long[:, short.shape[1] :].any()


def test_without_test_its_files_are_not_written_and_the_report_says_so(nlp, tmp_path):
    report = export_biomedrag(tmp_path, nlp, train=TRAIN, dev=DEV)
    assert not [path.name for path in tmp_path.iterdir() if "test" in path.name]
    assert "files of test" in report.notes[0]


def test_classes_have_no_files_of_triples(nlp, tmp_path):
    splits = [
        [r.model_copy(update={"label": int(r.triples != []), "triples": [], "entities": []}) for r in records]
        for records in (TRAIN, DEV, TEST)
    ]
    report = export_biomedrag(tmp_path, nlp, train=splits[0], dev=splits[1], test=splits[2])
    assert not [
        path.name for path in tmp_path.iterdir() if "triplet_llama" in path.name or path.name == "KNN_demo_test.json"
    ]
    assert "classes" in report.notes[0]
    # The label 1 is the first relation of the dataset.
    assert list(scripts.definitions(tmp_path)) == ["TREATS", "None"]
    for split in ("train", "test"):
        assert scripts.scorer_instructions(tmp_path, split) == [
            line["instruction"] for line in scripts.json_lines(_scorer(tmp_path, split))
        ]
        scripts.scorer_inputs(tmp_path, split)


@pytest.mark.parametrize(
    ("train", "dev", "options", "message"),
    [
        ([], DEV, {}, "train: found no record"),
        (TRAIN, [], {}, "dev: found no record"),
        (TRAIN[:1], DEV, {}, "record 'train0': found no other sentence in train"),
        (DEV[:2], DEV[:1], {}, "record 'dev0': found no stored chunk of another sentence"),
        ([TRAIN[0].model_copy(update={"label": 1}), *TRAIN[1:]], DEV, {}, "found triples beside records with labels"),
        (TRAIN, DEV, {"top_k": 3}, "selects 2 chunks"),
        (TRAIN, DEV, {"vector_size": 3}, "expected at least 8"),
    ],
)
def test_what_cannot_be_exported_is_named(nlp, tmp_path, train, dev, options, message):
    with pytest.raises(BiochunkError, match=message) as raised:
        export_biomedrag(tmp_path, nlp, train=train, dev=dev, settings=Settings(**options))
    assert isinstance(raised.value, UsageError) == bool(options)


def test_a_relation_that_holds_a_separator_is_refused(tmp_path):
    data = dataset(relations={"A|B": RELATIONS["TREATS"]})
    with pytest.raises(BiochunkError, match=r"A\|B"):
        export_biomedrag(tmp_path, build(COMPONENTS, data, False, {}), train=TRAIN, dev=DEV)


def test_replacements_are_counted_by_file_and_kind(nlp, tmp_path):
    hostile = record("dev0", "a|b", "INHIBITS", "COX-2", after=" if\tContext: Response.")
    report = export_biomedrag(tmp_path, nlp, train=TRAIN, dev=[hostile, *DEV[1:]])
    rows = report.files["renew_triplet_T_dev.jsonl"]
    # The bar stands in the sentence and in the head.
    assert rows == {"lines": 18, "replaced": {"Context:": 1, "Response": 1, "tab": 1, "|": 2}}
    assert report.files["renew_triplet_T_train.jsonl"]["replaced"] == {}
    saved = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert saved["files"]["renew_triplet_T_dev.jsonl"] == rows
    assert "replaced in renew_triplet_T_dev.jsonl: 1 Context:, 1 Response, 1 tab, 2 |" in report.lines()


def test_report_says_what_prompts_show(folder):
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))["stored chunks in prompts"]["train"]
    shown = [evidence for (evidence,) in scripts.chosen_evidence(folder, "train")]
    counts = Counter(shown)
    hits = [relation == row[0] for (_, relation), row in zip(shown, scripts.rows(folder, "train"), strict=True)]
    assert report["distinct"] == len(counts)
    assert report["most served"] == max(counts.values()) / len(shown)
    assert report["label hit rate"] == sum(hits) / len(hits)


SIGNS = st.sampled_from(
    [
        *("|", "--##--", "--##", "#--", "Context:", "Response:", "Response", "Examples:", "Examples:  ", "### Input: "),
        *("    ", "\t", "\n", "\n\n", "\r\n", "\u2028", "\u00a0", "{}", "2. Context:{}. Response: {}", "\\n", '"', "β"),
    ]
)
WORD = st.lists(st.one_of(SIGNS, st.sampled_from(("drug", "protein", "a", " "))), min_size=1, max_size=4).map("".join)
HOSTILE = st.lists(st.tuples(WORD, WORD, WORD, WORD), min_size=9, max_size=9)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE)
def test_hostile_texts_are_read_as_the_scripts_read_them(nlp, tmp_path_factory, texts):
    relations = ("INHIBITS", "CAUSES", "None")
    records = [
        # Numbers keep the sentences apart, so that each has another one's chunks.
        record(f"r{n}", f"x{head}", relations[n % 3], f"y{tail}", before=f"{n}{before}", after=after)
        for n, (before, head, tail, after) in enumerate(texts)
    ]
    splits = {"train": records[:3], "dev": records[3:6], "test": records[6:]}
    folder = tmp_path_factory.mktemp("hostile")
    export_biomedrag(folder, nlp, **splits)
    check_as_scripts_do(folder, splits)
