"""What BioMedRAG's scripts do with their files: the same splits at the same strings, written anew for the tests.

Each function stands for one script (0 to 8 of its folder 0, its scorer, folder 2, the metric) and fails where that
would.
"""

import json
from itertools import permutations
from pathlib import Path

import numpy as np


def json_lines(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as file:  # universal newlines, as the scripts open their files
        return [json.loads(line) for line in file]


def text_lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as file:
        return [line.strip() for line in file]


def definitions(folder: Path) -> dict[str, str]:
    """Scripts 0 and 1: the text behind the first tab, the relation before the first four spaces."""
    lines = text_lines(folder / "relation_with_defination.txt")
    return {line.split("    ")[0]: line.split("\t")[1] for line in lines}


def rows(folder: Path, split: str) -> list[tuple[str, str, str, str]]:
    keys = ("PREDICATE", "SUBJECT_TEXT", "OBJECT_TEXT", "SENTENCE")
    return [tuple(line[key] for key in keys) for line in json_lines(folder / f"renew_triplet_T_{split}.jsonl")]


def chunks_of_relations(folder: Path) -> dict[str, list[str]]:
    """Script 1b: one relation a line."""
    found: dict[str, list[str]] = {}
    for line in json_lines(folder / "relation_with_chucks_5.json"):
        ((relation, chunks),) = line.items()
        assert relation not in found
        found[relation] = chunks
    return found


def store(folder: Path) -> list[tuple[str, str]]:
    """Scripts 2 and 3: chunk and relation, and one vector each."""
    found = []
    for line in text_lines(folder / "stored_chucks_with_relation_5.txt"):
        chunk, relation = line.split("--##--")
        found.append((chunk, relation))
    assert len(np.load(folder / "retrived_chucks_5.npy", allow_pickle=False)) == len(found)
    return found


def first_of_five(folder: Path, split: str) -> list[dict[str, str]]:
    """Script 3: by stored chunk its relation, the first of what each chunk of a sentence found."""
    picks = []
    for line in json_lines(folder / f"{split}_data_chucks_5.json"):
        chosen = {}
        for chunk in line["all_chucks"]:
            for texts, relations in chunk.values():
                chosen[texts[0]] = relations[0]
        picks.append(chosen)
    return picks


def candidates(picks: dict[str, str]) -> list[str]:
    """Scripts 4 and 5: every ordered selection of the picked chunks, of all of them only the first order."""
    shown = [f"Context: {chunk} Response: {relation}" for chunk, relation in picks.items()]
    found = [" ".join(order) for length in range(1, len(shown)) for order in permutations(shown, length)]
    return [*found, " ".join(shown)]


def scorer_instructions(folder: Path, split: str) -> list[str]:
    """Script 5: line j of one file goes with line j of the other."""
    picks = [line["topn_sim_chuck"] for line in json_lines(folder / f"{split}_data_topn_chucks_5.json")]
    demos = [line["instruction"] for line in json_lines(folder / f"KNN_demo_{split}_RE.json")]
    return ["|".join((demos[j], *candidates(picks[j]))) for j in range(len(demos))]


def scorer_inputs(folder: Path, split: str) -> list[list[int]]:
    """The scorer: rows of the vectors of the sentence and of each part between bars, found by their text."""
    numbers = {line.split("\t")[0]: i for i, line in enumerate(text_lines(folder / "all_candiate_chunks_5.txt"))}
    vectors = np.load(folder / "all_posible_chuck_vector_5_llama2_13b.npy", allow_pickle=False)
    assert len(vectors) == len(numbers)
    found = []
    for line in json_lines(folder / f"{split}_chuck_instruction_5_llama13b_right.json"):
        prompt = (
            f"intro\n\n### Instruction:\n{line['instruction']}\n\n### Input: \n{line['context']}\n\n### Response: \n"
            f"{line['response']}"
        )
        instruction = prompt.split("### Instruction:")[1].split("### Input: ")[0]
        context = prompt.split("### Input:")[1].split("### Response:")[0].strip()
        assert len(instruction.split(" Examples:")) == 2
        parts = instruction.split("Examples:  ")[1].strip().split("|")
        found.append([numbers[text] for text in (context, *parts)])
    return found


def chosen_evidence(folder: Path, split: str) -> list[list[tuple[str, str]]]:
    """Folder 2: chunk and relation of each example behind "Examples:"."""
    found = []
    for line in json_lines(folder / f"{split}_chuck5_s_r_llama2_13b_right_one.json"):
        _, examples = line["instruction"].split("Examples:")
        parts = [part for part in examples.strip().split("Context:") if part]
        pairs = [part.split("Response:") for part in parts]
        assert all(len(pair) == 2 for pair in pairs)
        found.append([(chunk, relation.strip()) for chunk, relation in pairs])
    return found


def generator_instructions(folder: Path, split: str) -> list[tuple[str, list[str]]]:
    """Folder 2: what stands before each chosen example, and all that may stand behind, one for each dev row of its
    relation."""
    pairs: dict[str, list[list[str]]] = {}
    for relation, head, tail, _ in rows(folder, "dev"):
        pairs.setdefault(relation, []).append(f"{head}|{tail}".split("|"))
    found = []
    evidence = chosen_evidence(folder, split)
    for j, line in enumerate(json_lines(folder / f"KNN_demo_{split}.json")):
        request, demo = line["instruction"].split("Examples:")
        ((chunk, relation),) = evidence[j]
        # Were it in the demonstration already, the script would leave the instruction as it is.
        assert f"Context:{chunk}".strip() not in demo
        possible = [
            f"{request.strip()} Context: {head}{chunk}{tail} Response: {head}|{relation}|{tail}"
            for head, tail in pairs[relation]
        ]
        found.append((request, possible))
    return found


def scored_gold(line: dict) -> tuple[str, str, str]:
    """The metric: three parts between bars; and what the generator was asked, four blocks with the answer last."""
    prompt = f"intro\n\n### Instruction: \n{line['instruction']}\n\n### Input: \n{line['context']}\n\n### Response: \n"
    answer = (prompt + line["response"]).split("\n\n")[3].split("\n")
    assert answer[1:] == [line["response"]]
    head, relation, tail = line["response"].split("|")
    # Predictions are stripped, gold is not.
    assert (head, tail) == (head.strip(), tail.strip())
    return head, relation, tail
