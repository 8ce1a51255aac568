"""Evaluates the conditions of the benchmark with other implementations of CEL, on the same sessions.

Reads what `Benchmarks --conditions-data` prints from standard input; its argument is the report of `Benchmarks --json`. Values are handed over once, before anything is measured.
"""

import datetime
import json
import statistics
import sys
import time

import cel as rust
from cel_expr_python import cel as cpp

ROUNDS = 5
ROUND_SECONDS = 0.2


def typed(value, name=""):
    """Times are text in JSON."""
    if isinstance(value, dict):
        return {key: typed(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [typed(inner) for inner in value]
    if isinstance(value, str) and (name == "now" or name.endswith("_at")):
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value


def rate(evaluate):
    """Evaluations per second: the median of a few rounds."""
    rates = []
    for _ in range(ROUNDS):
        count = 0
        start = time.perf_counter()
        while (elapsed := time.perf_counter() - start) < ROUND_SECONDS:
            for _ in range(10):
                evaluate()
            count += 10
        rates.append(count / elapsed)
    return statistics.median(rates)


def rust_rate(condition, variables):
    program = rust.compile(condition)
    context = rust.Context(variables=variables)
    assert isinstance(program.execute(context), bool)
    return rate(lambda: program.execute(context))


def cpp_rate(condition, variables):
    # It takes times as variables only, not inside of what it is handed.
    kinds = {"session": cpp.Type.DYN, "board": cpp.Type.DYN, "now": cpp.Type.TIMESTAMP, "touched": cpp.Type.TIMESTAMP}
    values = {name: untimed(value) for name, value in variables.items()}
    values |= {"now": variables["now"], "touched": variables["session"]["touched_at"]}
    environment = cpp.NewEnv(variables=kinds)
    program = environment.compile(condition.replace("session.touched_at", "touched"))
    activation = environment.Activation(values)
    value = program.eval(activation)
    assert value.type() == cpp.Type.BOOL, value
    return rate(lambda: program.eval(activation))


def untimed(value):
    if isinstance(value, dict):
        return {key: untimed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [untimed(inner) for inner in value]
    return value.isoformat() if isinstance(value, datetime.datetime) else value


def attempt(measure, *arguments):
    try:
        return f"{measure(*arguments):,.0f}"
    except Exception as error:  # What a peer cannot do is part of the comparison.
        print(error, file=sys.stderr)
        return "fails"


def main():
    data = typed(json.load(sys.stdin))
    with open(sys.argv[1], encoding="utf-8") as report:
        ours = {entry["name"]: entry["perSecond"] for entry in json.load(report)["conditions"]}
    variables = {name: data[name] for name in ("session", "board", "now")}
    print(f"{'evaluations per second':24}{'here':>14}{'C++':>14}{'Rust':>14}")
    for name, condition in data["conditions"].items():
        peers = [attempt(measure, condition, variables) for measure in (cpp_rate, rust_rate)]
        print(f"{name:24}{ours[name]:>14,.0f}{peers[0]:>14}{peers[1]:>14}")


main()
