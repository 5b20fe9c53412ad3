"""Problems of the site and its figures: a module for each subject.

`service_health` is the lowest. `site_report` collects the problems for doctor, `site_metrics` the figures for
/metrics; the probes stand above both.
"""
