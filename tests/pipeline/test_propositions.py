"""What sentences say, as (subject, relation, object) with flags; the whole chain up to the resolver."""

import pytest

from .conftest import dataset

# "-" negated, "?" uncertain, "*" lost to a competing proposition.
SENTENCES = [
    # infix, active and passive
    ("Aspirin inhibits COX-2.", [("Aspirin", "INHIBITS", "COX-2", "")]),
    ("COX-2 was inhibited by aspirin.", [("aspirin", "INHIBITS", "COX-2", "")]),
    ("COX-2 inhibited by aspirin", [("aspirin", "INHIBITS", "COX-2", "")]),
    ("COX-2 was strongly inhibited by aspirin.", [("aspirin", "INHIBITS", "COX-2", "")]),
    ("Diabetes is treated with metformin.", [("metformin", "TREATS", "Diabetes", "")]),
    ("COX-2 was inhibited in rats by aspirin.", [("aspirin", "INHIBITS", "COX-2", "")]),
    ("COX-2 was inhibited.", []),
    ("COX-2 was inhibited in the liver.", []),
    ("Aspirin inhibited COX-2 in rats.", [("Aspirin", "INHIBITS", "COX-2", "")]),
    # coordination
    (
        "Aspirin inhibits COX-1 and COX-2.",
        [("Aspirin", "INHIBITS", "COX-1", ""), ("Aspirin", "INHIBITS", "COX-2", "")],
    ),
    (
        "Aspirin and warfarin inhibit COX-1.",
        [("Aspirin", "INHIBITS", "COX-1", ""), ("warfarin", "INHIBITS", "COX-1", "")],
    ),
    (
        "Aspirin inhibits COX-1, COX-2, and COX-3.",
        [
            ("Aspirin", "INHIBITS", "COX-1", ""),
            ("Aspirin", "INHIBITS", "COX-2", ""),
            ("Aspirin", "INHIBITS", "COX-3", ""),
        ],
    ),
    (
        "Aspirin inhibits COX-1, and warfarin activates COX-2.",
        [("Aspirin", "INHIBITS", "COX-1", ""), ("warfarin", "STIMULATES", "COX-2", "")],
    ),
    (
        "Aspirin inhibits COX-2 and activates AMPK.",
        [("Aspirin", "INHIBITS", "COX-2", ""), ("Aspirin", "STIMULATES", "AMPK", "*")],
    ),
    (
        "Aspirin as well as naproxen inhibits COX-2.",
        [("Aspirin", "INHIBITS", "COX-2", ""), ("naproxen", "INHIBITS", "COX-2", "")],
    ),
    (
        "Aspirin, but not warfarin, inhibits COX-1.",
        [("Aspirin", "INHIBITS", "COX-1", ""), ("warfarin", "INHIBITS", "COX-1", "-")],
    ),
    (
        "Metformin reduces glucose without causing pain.",
        [("Metformin", "AFFECTS", "glucose", "*"), ("Metformin", "CAUSES", "pain", "-")],
    ),
    ("Aspirin reduces all-cause mortality.", [("Aspirin", "AFFECTS", "mortality", "")]),
    # nominal triggers
    ("inhibition of COX-2 by aspirin", [("aspirin", "INHIBITS", "COX-2", "")]),
    ("inhibition by aspirin of COX-2", [("aspirin", "INHIBITS", "COX-2", "")]),
    ("COX-2 inhibition by aspirin", [("aspirin", "INHIBITS", "COX-2", "")]),
    (
        "The treatment of diabetes with metformin",
        [("metformin", "TREATS", "diabetes", ""), ("metformin", "PROCESS_OF", "diabetes", "*")],
    ),
    ("the effect of aspirin on COX-2", [("aspirin", "AFFECTS", "COX-2", "")]),
    (
        "Aspirin causes inhibition of COX-2.",
        [("Aspirin", "CAUSES", "COX-2", ""), ("Aspirin", "INHIBITS", "COX-2", "*")],
    ),
    ("aspirin-induced asthma", [("aspirin", "CAUSES", "asthma", "")]),
    ("aspirin–warfarin interaction", [("aspirin", "INTERACTS_WITH", "warfarin", "")]),
    ("interaction between aspirin and warfarin", [("aspirin", "INTERACTS_WITH", "warfarin", "")]),
    ("interaction of aspirin and warfarin", [("aspirin", "INTERACTS_WITH", "warfarin", "")]),
    (
        "interactions of aspirin, warfarin and digoxin",
        [("aspirin", "INTERACTS_WITH", "warfarin", ""), ("aspirin", "INTERACTS_WITH", "digoxin", "")],
    ),
    ("the effect of aspirin and warfarin", []),  # a relation with a direction needs two sides
    # inverted and undirected
    ("stroke after thrombosis", [("thrombosis", "PRECEDES", "stroke", "")]),
    ("patients with diabetes", [("diabetes", "PROCESS_OF", "patients", "")]),
    (
        "interaction of warfarin with aspirin",
        [("warfarin", "INTERACTS_WITH", "aspirin", ""), ("aspirin", "PROCESS_OF", "warfarin", "*")],
    ),
    # polarity
    ("Aspirin does not inhibit COX-2.", [("Aspirin", "INHIBITS", "COX-2", "-")]),
    ("Aspirin may inhibit COX-2.", [("Aspirin", "INHIBITS", "COX-2", "?")]),
    ("Aspirin failed to inhibit COX-2.", [("Aspirin", "INHIBITS", "COX-2", "-")]),
    (
        "Neither aspirin nor warfarin reduced mortality.",
        [("aspirin", "AFFECTS", "mortality", "-"), ("warfarin", "AFFECTS", "mortality", "-")],
    ),
    (
        "Aspirin inhibited COX-1 but not COX-2.",
        [("Aspirin", "INHIBITS", "COX-1", ""), ("Aspirin", "INHIBITS", "COX-2", "-")],
    ),
    ("Inhibition of COX-2 by aspirin was ruled out.", [("aspirin", "INHIBITS", "COX-2", "-")]),
    ("Aspirin not only inhibits COX-2.", [("Aspirin", "INHIBITS", "COX-2", "")]),
    (
        "Although aspirin did not reduce pain, it inhibited COX-2.",
        [("aspirin", "AFFECTS", "pain", "-*"), ("aspirin", "INHIBITS", "COX-2", "")],
    ),
    ("Patients without diabetes were treated with metformin.", [("metformin", "TREATS", "Patients", "")]),
    # the paper's examples
    (
        "Aspirin therapy reduces inflammation by inhibiting COX-2.",
        [("Aspirin therapy", "AFFECTS", "inflammation", "*"), ("Aspirin", "INHIBITS", "COX-2", "")],
    ),
    (
        "Metformin treatment reduces glucose levels by activating the AMPK pathway in diabetic patients.",
        [
            ("Metformin treatment", "AFFECTS", "glucose levels", "*"),
            ("Metformin", "STIMULATES", "AMPK pathway", "*"),
            ("Metformin", "TREATS", "diabetic patients", ""),
        ],
    ),
    # nothing to say
    ("Aspirin and warfarin.", []),
    ("inhibits", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES, ids=[text[:50] for text, _ in SENTENCES])
def test_propositions(make_pipeline, text, expected):
    nlp = make_pipeline(components=("bio_entity_spans", "trigger_tagger", "proposition_extractor", "relation_resolver"))
    found = [
        (
            p.subject.text,
            p.relation,
            p.object.text,
            "-" * p.negated + "?" * p.uncertain + "*" * (not p.kept),
        )
        for p in nlp(text)._.bio_propositions
    ]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # "rats" stands nearer, yet is only inferred
        (" metformin  reduces in rats the  glucose  level.", [("metformin", "glucose")]),
        ("[  Metformin  ] in rats reduces {  glucose  } in patients.", [("Metformin", "glucose")]),
        # one mark alone marks no pair, and marks that no trigger joins decide nothing
        ("Metformin reduces  glucose  in patients.", [("Metformin", "glucose")]),
        ("Metformin reduces glucose;  aspirin ,  warfarin .", [("Metformin", "glucose")]),
        # content in brackets is no mark
        ("Aspirin reduces [glucose] at more [insulin].", [("Aspirin", "glucose")]),
    ],
)
def test_marked_mentions_come_before_inferred_ones(make_pipeline, text, expected):
    rules = ["brackets", "padding", "capitalised", "hyphenated", "noun_phrase"]
    nlp = make_pipeline(
        components=("bio_entity_spans", "trigger_tagger", "proposition_extractor"),
        data=dataset(entities={"rules": rules}),
    )
    assert [(p.subject.text, p.object.text) for p in nlp(text)._.bio_propositions] == expected


@pytest.mark.parametrize(
    ("text", "pattern", "passive"),
    [
        ("Aspirin inhibits COX-2.", "infix", False),
        ("COX-2 was inhibited by aspirin.", "infix", True),
        ("inhibition of COX-2 by aspirin", "prefix", False),
        ("aspirin–warfarin interaction", "postfix", False),
    ],
)
def test_pattern_and_voice(make_pipeline, text, pattern, passive):
    [proposition] = make_pipeline()(text)._.bio_propositions
    assert (proposition.pattern, proposition.passive) == (pattern, passive)


def test_priorities_of_the_worked_example(make_pipeline):
    doc = make_pipeline()("Aspirin therapy reduces inflammation by inhibiting COX-2 expression.")
    assert {p.relation: p.priority for p in doc._.bio_propositions} == {"INHIBITS": 6, "AFFECTS": 3}


def test_the_loser_says_what_it_lost_to(make_pipeline):
    doc = make_pipeline()("Aspirin therapy reduces inflammation by inhibiting COX-2 expression.")
    winner, loser = doc._.bio_propositions
    assert winner.kept and not winner.reason
    assert loser.reason == f"overlaps {winner.span.id_} (INHIBITS, priority 6)"


def test_the_highest_priority_comes_first(make_pipeline):
    doc = make_pipeline()(
        "Metformin treatment reduces glucose levels by activating the AMPK pathway in diabetic patients."
    )
    assert doc._.bio_propositions[0].relation == "TREATS"


def test_the_span_grows_to_take_in_negation(make_pipeline):
    [proposition] = make_pipeline()("Inhibition of COX-2 by aspirin was not observed in rats.")._.bio_propositions
    assert proposition.text == "Inhibition of COX-2 by aspirin was not observed"


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("search", 2, "Aspirin, as was found there, inhibits COX-2."),
        ("patterns", ["prefix"], "Aspirin inhibits COX-2."),
    ],
)
def test_options_limit_what_is_found(make_pipeline, option, value, text):
    assert len(make_pipeline()(text)._.bio_propositions) == 1
    assert make_pipeline(proposition_extractor={option: value})(text)._.bio_propositions == ()


def test_passive_agents_are_an_option(make_pipeline):
    text = "COX-2 was inhibited via aspirin."
    assert make_pipeline()(text)._.bio_propositions == ()
    nlp = make_pipeline(proposition_extractor={"passive_agents": ["by", "with", "via"]})
    assert [p.subject.text for p in nlp(text)._.bio_propositions] == ["aspirin"]


@pytest.mark.parametrize("starts", [{0, 1}, {0, 1, 3, 5}, set(range(9))])
def test_a_sentence_border_inside_an_entity_does_not_cut_it(make_pipeline, starts):
    nlp = make_pipeline()
    doc = nlp.make_doc("Tumor necrosis factor alpha receptor inhibits COX-2 and COX-1")
    for token in doc:
        token.is_sent_start = token.i in starts
    doc = nlp(doc)
    entity = doc._.bio_entities[0].span
    assert entity.text == "Tumor necrosis factor alpha receptor"
    for chunk in doc._.bio_chunks:
        assert not any(entity.start < border < entity.end for border in (chunk.span.start, chunk.span.end))


def test_a_proposition_chunk_says_what_the_proposition_states(make_pipeline):
    doc = make_pipeline()("COX-2 was inhibited by aspirin, which a drug of disease in patients may not be.")
    for chunk in doc._.bio_chunks:
        if chunk.proposition is not None:
            assert chunk.relation == doc.spans["bio_propositions"].attrs[chunk.proposition]["relation"]


def test_a_target_relation_is_what_chunks_are_ranked_against(make_pipeline):
    nlp = make_pipeline()
    doc = nlp.make_doc("Aspirin inhibits COX-2.")
    doc._.bio_target_relation = "TREATS"
    assert {chunk.relation for chunk in nlp(doc)._.bio_chunks} == {"TREATS"}


def test_sentences_are_worked_on_by_themselves(make_pipeline):
    nlp = make_pipeline(sentences=True)
    doc = nlp("Aspirin was given. It inhibits COX-2 there. Warfarin activates AMPK.")
    assert [(p.subject.text, p.object.text) for p in doc._.bio_propositions] == [("Warfarin", "AMPK")]
    assert {chunk.sentence for chunk in doc._.bio_chunks} == {0, 1, 2}
