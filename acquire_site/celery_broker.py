"""The broker as Celery's workers use it, mended where a Redis that hangs would leave them deaf."""

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Frees a worker's place for a message even when Redis could not be told that the message is done.

    The library keeps the place taken then, and a worker whose places are all taken asks for nothing any
    more. The message itself comes again after a while, as after a crash, and finds its work done.
    """

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def mend() -> None:
    """Let every channel to Redis use it."""
    redis.Channel.QoS = QoS
