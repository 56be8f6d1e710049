"""Client and training library of Spur, a scheduler for deep-learning clusters.

`spur.reporter` and `spur.aggregation` are single files without dependencies. `spur.client` calls the REST API.
`spur.torch`, `spur.huggingface` and `spur.lightning` connect training code. This package imports none of them.
"""

__version__ = "0.1.0"
