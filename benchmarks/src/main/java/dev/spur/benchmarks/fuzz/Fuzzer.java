package dev.spur.benchmarks.fuzz;

import dev.spur.model.json.RoundJson;
import dev.spur.service.contract.Contract;
import dev.spur.service.contract.ResponseValidator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.core.JacksonException;

/** Sends random requests to a service and validates every response against the contract. */
public final class Fuzzer {
    /**
     * Environment of the fuzzed service. The limit of failed authentications is off, so that clients are not blocked.
     */
    public static final Map<String, String> ENVIRONMENT =
            Map.of("SPUR_SECURITY_MODE", "local", "SPUR_SECURITY_RATE_FAILURESPERMINUTE", "0");

    private static final int CLIENTS = 4;

    private final Contract contract = Contract.load();
    private final ResponseValidator rules = new ResponseValidator(contract);
    private final IdPool known = new IdPool();
    private final FuzzResults tally = new FuzzResults();
    private final RawHttp http;

    /** Creates a fuzzer for the service at a port of this machine, which must not require tokens. */
    public Fuzzer(int port) {
        http = new RawHttp(port);
    }

    /** Sends {@code requests} requests from several concurrent clients, each with a seed derived from {@code seed}. */
    public FuzzResults run(int requests, long seed) throws Exception {
        List<Route> routes = Route.all(contract.document());
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                RequestGenerator maker = new RequestGenerator(routes, known, seed * CLIENTS + client);
                int share = (requests + client) / CLIENTS;
                tasks.add(() -> {
                    for (int r = 0; r < share; r++) {
                        send(maker.next());
                    }
                    return null;
                });
            }
            for (Future<Void> done : clients.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            clients.shutdownNow();
        }
        return tally;
    }

    private void send(FuzzRequest request) {
        try {
            ResponseValidator.ReceivedResponse answer = http.send(request);
            tally.add(request, answer.status(), id(answer), misfits(request, answer));
            learn(request, answer);
        } catch (IOException | NumberFormatException noAnswer) {
            tally.add(request, 0, "", List.of("no response: " + noAnswer));
        }
    }

    private static String id(ResponseValidator.ReceivedResponse answer) {
        List<String> id = answer.headers().get("x-request-id");
        return id == null ? "" : id.get(0);
    }

    private List<String> misfits(FuzzRequest request, ResponseValidator.ReceivedResponse answer) {
        List<String> misfits = new ArrayList<>(rules.misfits(request.method(), request.path(), answer));
        if (answer.status() >= 500) {
            misfits.add("returned status " + answer.status());
        }
        return misfits;
    }

    private void learn(FuzzRequest request, ResponseValidator.ReceivedResponse answer) {
        List<String> tag = answer.headers().get("etag");
        if (tag != null) {
            known.learnTag(tag.get(0));
        }
        if (answer.status() < 300 && request.path().startsWith("/api/v1/")) {
            try {
                known.learn(request.path().split("/", -1)[3], RoundJson.mapper().readTree(answer.body()));
            } catch (JacksonException noJson) {
                // archives and plain tables contain no ids
            }
        }
    }
}
