"""Prediction files in the shape of BioMedRAG's, with sentences of our own."""

import json

PROMPT = (
    "Below is an instruction that describes a task, paired with an input that provides further context.\n\n"
    "### Instruction: \nName the triple.\n\n### Input: \naspirin inhibits cox-2\n\n### Response: \n"
)


def line(truth: str, output: str, sentence: str = "") -> str:
    """One line: the gold, and what a generator wrote after the prompt."""
    return json.dumps({"sentence": sentence, "ground_truth": truth, "predicted": PROMPT + output})


def published_counts() -> list[str]:
    """465 lines with the counts of BioMedRAG's published run on GM-CIHT.

    377 triples, 428 heads, 423 tails and 402 relations are right, 461 outputs parse.
    """
    lines = []
    for i in range(465):
        head, relation, tail = f"drug {i}", "INHIBITS", f"gene       {i}"
        truth = f"{head}|{relation}|{tail}"
        output = f"{head.title()}|{relation}| gene {i} "
        if 377 <= i < 461:
            wrong = i - 377
            parts = (head, wrong < 51), (relation, wrong < 25), (tail, wrong >= 38)
            output = "|".join(part if right else "other" for part, right in parts)
        elif i >= 461:
            output = ("no idea", "a|b", f"{truth}|more", f"{truth}\nand more")[i - 461]
        lines.append(line(truth, output, f"sentence {i}"))
    return lines
