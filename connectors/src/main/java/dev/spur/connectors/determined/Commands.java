package dev.spur.connectors.determined;

import dev.spur.connectors.AggregatorHost;
import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.PlatformAggregator;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Gradient aggregators as Determined commands without slots. The mark is part of the description, because the
 * configuration accepts no unknown members. The master chooses the agent and lists an ended command for a day. It
 * accepts no idempotency key, so a repeated request starts a second command.
 */
final class Commands implements AggregatorHost {
    private static final Pattern MARK = Pattern.compile("spur aggregator \\S+ port=(\\d{1,5}) mark=([0-9a-f-]{36})");

    private static final String ALL = "/api/v1/commands?sortBy=SORT_BY_START_TIME";

    private final AggregatorProgram program;
    private final DeterminedSettings settings;
    private final DeterminedClient client;

    Commands(AggregatorProgram program, DeterminedSettings settings, DeterminedClient client) {
        this.program = program;
        this.settings = settings;
        this.client = client;
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    @Override
    public List<PlatformAggregator> aggregators() throws IOException, InterruptedException {
        List<PlatformAggregator> found = new ArrayList<>();
        List<JsonNode> rows = client.pages(ALL, "commands");
        Tasks tasks = new Tasks(client.get("/api/v1/tasks"));
        Map<String, String> addresses = new HashMap<>();
        for (JsonNode agent : client.pages("/api/v1/agents", "agents")) {
            String id = agent.path("id").asString("");
            addresses.put(id, agent.path("addresses").path(0).asString(id));
        }
        for (JsonNode row : rows) {
            Matcher mark = MARK.matcher(row.path("description").asString(""));
            // a matching description by another user is not an aggregator of Spur
            boolean own = row.path("username").asString("").equals(settings.user());
            if (mark.matches() && own) {
                found.add(aggregator(row, mark, tasks, addresses));
            }
        }
        return found;
    }

    private static PlatformAggregator aggregator(
            JsonNode row, Matcher mark, Tasks tasks, Map<String, String> addresses) {
        String id = row.path("id").asString();
        int port = Integer.parseInt(mark.group(1));
        boolean runs = state(row).equals("STATE_RUNNING");
        Optional<Tasks.Address> published = tasks.address(id, port);
        Optional<String> host = published
                .map(Tasks.Address::host)
                .or(() -> tasks.agent(id).map(agent -> addresses.getOrDefault(agent, agent)))
                .filter(any -> runs);
        return new PlatformAggregator(
                id,
                mark.group(2),
                ExperimentReader.time(row.path("startTime").asString("")),
                hasEnded(state(row)),
                host,
                published.map(Tasks.Address::port).orElse(port),
                "command %s is %s%s"
                        .formatted(
                                id,
                                state(row),
                                tasks.agent(id).map(agent -> " on " + agent).orElse("")));
    }

    private static boolean hasEnded(String state) {
        return state.equals("STATE_TERMINATED");
    }

    private static String state(JsonNode row) {
        return row.path("state").asString("");
    }

    @Override
    public StepOutcome open(DesiredAggregator want, String mark, String key) throws InterruptedException {
        try {
            String id = client.launch(config(want, mark, key));
            String state = client.command(id).map(Commands::state).orElse("not there");
            return state.startsWith("STATE_") && !hasEnded(state)
                    ? new StepOutcome.Accepted(Step.STARTING, timeout(), "command %s is %s".formatted(id, state))
                    : new StepOutcome.Unchanged(
                            "command %s for aggregator %s was launched but is %s".formatted(id, want.name(), state));
        } catch (DeterminedVerificationFailure unverified) {
            return new StepOutcome.Unchanged(String.valueOf(unverified.getMessage()));
        } catch (DeterminedRejection rejection) {
            return new StepOutcome.Rejected("aggregator %s: %s".formatted(want.name(), rejection.getMessage()));
        } catch (IOException unreachable) {
            return new StepOutcome.NoResponse("aggregator %s: %s".formatted(want.name(), unreachable.getMessage()));
        }
    }

    private Map<String, ?> config(DesiredAggregator want, String mark, String key) {
        List<String> entrypoint = new ArrayList<>(program.entrypoint());
        entrypoint.addAll(List.of(
                "--port",
                Integer.toString(want.port()),
                "--service",
                program.service().toString()));
        Map<String, Object> environment = new LinkedHashMap<>();
        program.image().ifPresent(image -> environment.put("image", image));
        environment.put("environment_variables", List.of("SPUR_AGGREGATOR_KEY=" + key));
        // published if containers have a network of their own
        environment.put("proxy_ports", List.of(Map.of("proxy_port", want.port(), "proxy_tcp", true)));
        return Map.of(
                "description",
                "spur aggregator %s port=%d mark=%s".formatted(want.name(), want.port(), mark),
                "entrypoint",
                entrypoint,
                "environment",
                environment,
                "resources",
                Map.of("slots", 0, "resource_pool", program.pool().orElse(want.pool())));
    }

    @Override
    public StepOutcome close(PlatformAggregator aggregator) throws InterruptedException {
        try {
            client.kill(aggregator.id());
            return new StepOutcome.Accepted(Step.ENDING, timeout(), "command %s was killed".formatted(aggregator.id()));
        } catch (DeterminedRejection rejection) {
            return rejection.status() == DeterminedRejection.NOT_FOUND
                    ? new StepOutcome.Accepted(
                            Step.ENDING, timeout(), "command %s does not exist".formatted(aggregator.id()))
                    : new StepOutcome.Rejected("command %s: %s".formatted(aggregator.id(), rejection.getMessage()));
        } catch (IOException unreachable) {
            return new StepOutcome.NoResponse("command %s: %s".formatted(aggregator.id(), unreachable.getMessage()));
        }
    }
}
