package dev.spur.benchmarks.load;

import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Loads an optimization instance into a service through the REST API. */
public final class ProblemLoader {
    /** Number of connections that submit. */
    private static final int CLIENTS = 8;
    /**
     * Length of reservations, s. Generated instances use their own clock; here each reservation outlasts the benchmark.
     */
    private static final long RESERVED_SECONDS = 86_400;

    private final SpurClient client;

    public ProblemLoader(SpurClient client) {
        this.client = client;
    }

    /** Registers the cluster, the tenants and the groups of {@code problem}, parent tenants before their children. */
    public void register(RoundProblem problem) throws IOException, InterruptedException, ExecutionException {
        for (var type : problem.acceleratorTypes()) {
            client.put("/accelerator-types/" + type.name(), json(type));
        }
        for (var pool : problem.pools()) {
            client.put("/pools/" + pool.name(), json(pool));
        }
        for (var tenant : problem.tenants()) {
            client.put("/tenants/" + tenant.name(), json(tenant));
        }
        for (var group : problem.groups()) {
            client.put("/groups/" + group.name(), json(group));
        }
        inParallel(problem.nodes().stream()
                .<Callable<String>>map(node -> () -> {
                    client.put("/nodes/" + node.id(), json(node));
                    return node.id();
                })
                .toList());
        for (Reservation reservation : problem.reservations()) {
            client.put("/reservations/" + reservation.name(), json(bodyOf(reservation)));
        }
    }

    private static Map<String, Object> bodyOf(Reservation reservation) {
        Instant now = Instant.now();
        Map<String, Object> body = new HashMap<>();
        body.put("nodes", reservation.nodes());
        body.put("tenant", reservation.tenant());
        body.put("start", now.toString());
        body.put("end", now.plusSeconds(RESERVED_SECONDS).toString());
        return body;
    }

    /**
     * Submits {@code jobs} and waits until the service has accepted all of them.
     *
     * @param name distinguishes these submissions from others of the same jobs
     * @return the job ids in the order of {@code jobs}
     */
    public List<String> submit(List<Job> jobs, String name) throws InterruptedException, ExecutionException {
        return inParallel(jobs.stream()
                .<Callable<String>>map(job -> () -> client.submit(submission(job, name + "/" + job.id())))
                .toList());
    }

    private static String submission(Job job, String externalId) {
        return json(Map.of(
                "tenant", job.tenant(),
                "owner", "bench",
                "name", job.id(),
                "externalId", externalId,
                "spec", job.spec()));
    }

    private static <T> List<T> inParallel(List<Callable<T>> calls) throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : clients.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            clients.shutdownNow();
        }
    }

    private static String json(Object value) {
        return RoundJson.mapper().writeValueAsString(value);
    }
}
