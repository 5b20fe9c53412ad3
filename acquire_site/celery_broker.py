"""Patch of Celery's Redis transport, so that workers recover when Redis hangs."""

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Frees a worker's slot for a message even if Redis could not be told that the message is done.

    Kombu keeps the slot taken, and a worker without free slots takes no more messages. Redis delivers the
    message again after a while, as after a crash, and the task finds its work done.
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
    """Make every Redis channel use this class."""
    redis.Channel.QoS = QoS
