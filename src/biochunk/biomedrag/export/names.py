"""Names of the files, in BioMedRAG's spelling. {split} is train or test."""

RELATIONS = "relation_with_defination.txt"
ROWS = "renew_triplet_T_{split}.jsonl"
# One script writes the first name, the next reads the second.
CHUNKS = ("relation_with_chucks_5.txt", "relation_with_chucks_5.json")
STORED = "stored_chucks_with_relation_5.txt"
STORED_VECTORS = "retrived_chucks_5.npy"
FOUND = "{split}_data_chucks_5.json"
PICKED = "{split}_data_topn_chucks_5.json"
RELATION_DEMOS = "KNN_demo_{split}_RE.json"
SCORER = "{split}_chuck_instruction_5_llama13b_right.json"
CANDIDATES = "all_candiate_chunks_5.txt"
CANDIDATE_VECTORS = "all_posible_chuck_vector_5_llama2_13b.npy"
CHOSEN = "{split}_chuck5_s_r_llama2_13b_right_one.json"
TRIPLE_DEMOS = "KNN_demo_{split}.json"
GENERATOR = "{split}_chuck_5_triplet_llama2_13b_right_0.json"
REPORT = "report.json"
