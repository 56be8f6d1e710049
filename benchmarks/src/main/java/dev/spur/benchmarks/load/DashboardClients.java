package dev.spur.benchmarks.load;

/** Dashboard users: periodic requests of the dashboard for the queue, a job and the cluster. */
@SuppressWarnings("FutureReturnValueIgnored") // RecordingClient counts the failures
final class DashboardClients {
    private static final double SECONDS_BETWEEN_POLLS = 1;

    private final SiteJobs site;
    private final RecordingClient calls;

    DashboardClients(SiteJobs site, RecordingClient calls) {
        this.site = site;
        this.calls = calls;
    }

    /** Starts the periodic requests. */
    void start(LoadTimer alarm) {
        alarm.every(SECONDS_BETWEEN_POLLS, 0, this::poll);
    }

    private void poll() {
        calls.get("GET /queue", "queue?limit=100");
        calls.get("GET /jobs", "jobs?limit=100");
        calls.get("GET /nodes", "nodes?limit=100");
        calls.get("GET /rounds", "rounds?limit=10");
        calls.get("GET /plans", "plans?limit=10");
        site.any().ifPresent(job -> {
            calls.get("GET /jobs/{id}", "jobs/" + job);
            calls.get("GET /jobs/{id}/explanation", "jobs/%s/explanation".formatted(job));
            calls.get("GET /jobs/{id}/events", "jobs/%s/events".formatted(job));
        });
    }
}
