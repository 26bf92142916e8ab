"""Scores loaded files with the evaluation of a Pollock checkout: score.py CHECKOUT DATASET FOLDER."""
import functools
import json
import os
import sys

checkout, dataset, folder = sys.argv[1:]
os.chdir(checkout)
sys.path.insert(0, checkout)

import pollock.metrics as metrics

metrics.normalize_cell = functools.lru_cache(maxsize=None)(metrics.normalize_cell)
scores = {}
for name in sorted(os.listdir(f"{dataset}/csv")):
    loaded = f"{folder}/{name}_converted.csv"
    if not os.path.exists(loaded):
        continue
    succeeded = metrics.successful_csv(loaded)
    measures = metrics.header_record_cell_measures_csv(f"{dataset}/clean/{name}", loaded) if succeeded else [0] * 9
    scores[name] = [float(value) for value in (succeeded, *measures)]
print(json.dumps(scores))
