"""F1 by corpus and kind can be won and lost."""

import json

import spacy

from biochunk.ner.iob import find_corpora
from biochunk.ner.scores import score_corpus, score_relations
from biochunk.pipeline.mention_group import MENTIONS, labelled_mentions


def ruler(*patterns):
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": label, "pattern": text} for text, label in patterns])
    return nlp


def corpus(folder, *sentences):
    (folder / "ours").mkdir()
    (folder / "ours/devel.tsv").write_text("\n".join(sentences), encoding="utf8")
    [found] = find_corpora(folder)
    return found


def test_only_borders_and_kind_together_are_right(tmp_path):
    nlp = ruler(("gout", "DISEASE"), ("cancer", "DISEASE"), ("aspirin", "GENE"), ("rats", "ANATOMY"))
    data = corpus(
        tmp_path, "gout\tB-Disease\nliver\tB-Disease\ncancer\tI-Disease\n", "aspirin\tB-Chemical\nin\tO\nrats\tO\n"
    )
    scores = score_corpus(nlp, data, "devel")
    # "rats" is of a kind that the corpus lacks: neither right nor wrong.
    assert {kind: (s.right, s.found, s.gold) for kind, s in scores.items()} == {
        "CHEMICAL": (0, 0, 1),
        "DISEASE": (1, 2, 2),
        "all": (1, 2, 3),
    }
    assert scores["all"].f1 == 2 / 5


def test_a_split_without_sentences_has_no_mention(tmp_path):
    assert score_corpus(ruler(), corpus(tmp_path, "a\tO\n"), "train")["all"].gold == 0


RECORD = {
    "id": "1",
    "dataset": "d",
    "split": "dev",
    "text": "gout and old liver cancer of rats",
    "entities": [
        {"id": "e1", "start": 0, "end": 4, "text": "gout"},
        {"id": "e2", "start": 13, "end": 25, "text": "liver cancer"},
        {"id": "e3", "start": 29, "end": 33, "text": "rats"},
    ],
    "triples": [{"head": "e1", "relation": "R", "tail": "e2"}],
}


def test_mentions_of_triples_found_exactly_or_inside(tmp_path):
    (tmp_path / "dev.jsonl").write_text(json.dumps(RECORD), encoding="utf8")
    recall = score_relations(ruler(("gout", "A"), ("old liver cancer of", "B")), tmp_path / "dev.jsonl")
    assert (recall.mentions, recall.exact, recall.inside, recall.spans) == (2, 1, 2, 2)


def test_mention_group_keeps_borders_and_kinds_apart():
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler", name="borders").add_patterns([{"label": "ENTITY", "pattern": "serum insulin"}])
    nlp.add_pipe("mention_group")
    nlp.add_pipe("entity_ruler", name="kinds").add_patterns(
        [{"label": "CHEMICAL", "pattern": "insulin"}, {"label": "ANATOMY", "pattern": "liver"}]
    )
    doc = nlp("serum insulin and liver")
    assert [span.text for span in doc.spans[MENTIONS]] == ["serum insulin"]
    assert [ent.text for ent in doc.ents] == ["insulin", "liver"]
    # The kind of a mention is that of its last word.
    assert [(doc.text[start:end], label) for start, end, label in labelled_mentions(doc)] == [
        ("serum insulin", "CHEMICAL"),
        ("liver", "ANATOMY"),
    ]
