"""Proof that nobody is sent anything that depends on what they must not know.

Two proofs run over the same games, because each sees what the other cannot:

- Non-interference. For each viewer everything hidden from that viewer is dealt anew in the stored game:
  the other hands, the bag, the seed, the others' orders, plans and notes, a move that a computer has
  chosen and not yet made. Then every answer must be the same, byte for byte, after masking what is random
  by design. It finds whatever is worked out from a hidden tile, however it is told.
- Canaries. Every tile in a hand or the bag carries a label that nothing else has (`labels`), and so do the
  notes, the talk and the seed. No label may turn up where its owner does not look. It finds what was
  written long before it is read, and needs no second world.

`games` are the games, `viewers` who looks, `routes` where, `wire` what is sent besides pages, `worlds` what
is dealt anew, `checking` puts them together, and `python -m tests.safety.leaks` runs many of them.
"""
