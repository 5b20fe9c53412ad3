"""A bot for a site of this kind: it joins the games that are open to it and answers every decision.

    python example_bot.py https://acquire.example TOKEN [GAMES]

It needs nothing but Python. With GAMES it stops when that many of its games are over. See bot_accounts.md.
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request

SITE, TOKEN, *MORE = sys.argv[1:]


def request(path, body=None):
    """Return the site's answer, or None if it refuses; wait and repeat if that may help."""
    message = urllib.request.Request(
        f"{SITE}/api/v1/program/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(message, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code != 429 and error.code < 500:
            print(f"{path}: {json.load(error)['problem']}")
            return sys.exit(1) if error.code == 401 else None
        time.sleep(int(error.headers.get("Retry-After", 10)))
    except OSError:  # the site is down or did not answer
        time.sleep(5)
    return request(path, body)


def choose(legal):
    """A move that ends the game, else the one that buys most shares, else a random one."""
    random.shuffle(legal)
    return max(legal, key=lambda move: (move.endswith("and end"), shares_bought(move)))


def shares_bought(move):
    """The number of shares that a move buys: 3 for "buy 2 tower 1 american"."""
    words = move.split()
    return sum(int(word) for word in words if word.isdigit()) if words[0] == "buy" else 0


mine, finished, tried = set(), set(), set()
while not MORE or len(finished) < int(MORE[0]):
    games = request("games")
    for game in games["invited"] + games["open"]:
        if game["game"] not in tried:
            tried.add(game["game"])
            request(f"games/{game['game']}/join", {})
    finished |= mine - {game["game"] for game in games["mine"]}
    mine = {game["game"] for game in games["mine"]}
    for decision in request("decisions?wait=10")["decisions"]:
        request(f"games/{decision['game']}/moves/{decision['number']}", {"move": choose(decision["legal"])})
