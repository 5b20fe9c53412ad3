"""A program that plays at a site of this kind: it joins what is open to it, and plays what it is asked.

    python program.py https://acquire.example TOKEN [GAMES]

It needs nothing but Python. With GAMES it ends when so many of its games are over. See programs.md.
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request

SITE, TOKEN, *MORE = sys.argv[1:]


def ask(path, body=None):
    """What the site answers; None for what it refuses. Waits and asks again where that may help."""
    request = urllib.request.Request(
        f"{SITE}/api/v1/program/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code not in (429, 503):
            print(f"{path}: {json.load(error)['problem']}")
            return sys.exit(1) if error.code == 401 else None
        time.sleep(int(error.headers.get("Retry-After", 10)))
    except OSError:  # the site was not reached, or fell silent
        time.sleep(5)
    return ask(path, body)


def choose(legal):
    """The move that buys most shares, one that ends the game before all others; else by chance."""
    random.shuffle(legal)
    return max(legal, key=lambda move: (move.endswith("and end"), bought(move)))


def bought(move):
    """How many shares are bought: 3 by "buy 2 tower 1 american"."""
    words = move.split()
    return sum(int(word) for word in words if word.isdigit()) if words[0] == "buy" else 0


mine, over, tried = set(), set(), set()
while not MORE or len(over) < int(MORE[0]):
    games = ask("games")
    for game in games["invited"] + games["open"]:
        if game["game"] not in tried:
            tried.add(game["game"])
            ask(f"games/{game['game']}/join", {})
    over |= mine - {game["game"] for game in games["mine"]}
    mine = {game["game"] for game in games["mine"]}
    for decision in ask("decisions?wait=10")["decisions"]:
        ask(f"games/{decision['game']}/moves/{decision['number']}", {"move": choose(decision["legal"])})
