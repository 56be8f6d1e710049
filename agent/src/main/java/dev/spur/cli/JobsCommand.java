package dev.spur.cli;

import static dev.spur.cli.TableColumn.Kind.ID;
import static dev.spur.cli.TableColumn.Kind.NUMBER;
import static dev.spur.cli.TableColumn.Kind.STATE;
import static dev.spur.cli.TableColumn.Kind.TEXT;
import static dev.spur.cli.TableColumn.Kind.TIME;
import static dev.spur.cli.TableColumn.Kind.WIDE;
import static dev.spur.cli.TableColumn.column;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Command {@code spur jobs}. */
@Command(
        name = "jobs",
        description = "List the jobs that have not ended, or all jobs. An array is one line.",
        mixinStandardHelpOptions = true)
public final class JobsCommand extends ReadCommand {
    private static final List<String> STATES = Stream.concat(
                    ServiceOptions.ACTIVE.stream(), Stream.of("DONE", "FAILED", "CANCELLED"))
            .toList();
    private static final List<TableColumn> COLUMNS = List.of(
            column("JOB", ID, "/id"),
            column("NAME", TEXT, job -> ArrayRow.isArray(job) ? ArrayRow.name(job) : text(job.path("name"))),
            column("OWNER", TEXT, "/owner"),
            column("TENANT", WIDE, "/tenant"),
            column("STATE", STATE, JobsCommand::state),
            column("SLOTS", NUMBER, JobsCommand::slots),
            column("TYPE", TEXT, "/allocation/configuration/acceleratorType"),
            column("BATCH", WIDE, "/allocation/configuration/batchSize"),
            column("NODES", TEXT, JobsCommand::nodes),
            column(
                    "DONE",
                    NUMBER,
                    job -> ArrayRow.isArray(job) ? ArrayRow.progress(job) : percent(job.path("progress"))),
            column("SUBMITTED", TIME, "/submittedAt"),
            column("EXPECTED END", WIDE, "/eta/completion/median"),
            column("ENDED", WIDE, "/endedAt"),
            column("LAST REPORT", WIDE, "/observed/at"));

    /** States of jobs, for the completion script. */
    static final class States implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return STATES.iterator();
        }
    }

    @Option(
            names = {"-a", "--all"},
            description = "Include ended jobs.")
    private boolean all;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            completionCandidates = States.class,
            description = "Only jobs in this state; repeatable.")
    private List<String> states = List.of();

    @Option(
            names = "--array",
            paramLabel = "ARRAY",
            description = "Only the jobs of this array: id, id prefix, or name.")
    private @Nullable String array;

    @Option(names = "--each", description = "List each job of an array.")
    private boolean each;

    @Option(names = "--owner", paramLabel = "NAME", description = "Only jobs of this owner.")
    private @Nullable String owner;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Only jobs of this tenant.")
    private @Nullable String tenant;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Only jobs with this label.")
    private @Nullable String label;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        List<String> filters = new ArrayList<>();
        List<String> shown = states.isEmpty() && !all ? ServiceOptions.ACTIVE : states;
        shown.forEach(state -> filters.add(ServiceOptions.parameter("state", state.toUpperCase(Locale.ROOT))));
        add(filters, "owner", owner);
        add(filters, "tenant", tenant);
        add(filters, "label", label);
        List<JsonNode> found = new ArrayList<>();
        if (array != null) {
            filters.add(ServiceOptions.parameter("array", service.array(array).orElseThrow(this::missing)));
        } else if (states.isEmpty() && label == null && !each) {
            found.addAll(service.all("/api/v1/arrays" + query(arrayFilters())));
            filters.add(ServiceOptions.parameter("array", "NONE"));
        }
        found.addAll(service.all("/api/v1/jobs" + query(filters)));
        return CommandOutput.list(
                found,
                "id",
                all || !states.isEmpty()
                        ? "There are no such jobs."
                        : "No job runs or waits. --all includes ended jobs.",
                COLUMNS);
    }

    private List<String> arrayFilters() {
        List<String> filters = new ArrayList<>();
        add(filters, "owner", owner);
        add(filters, "tenant", tenant);
        add(filters, "active", all ? null : "true");
        return filters;
    }

    private CommandFailure missing() {
        return CommandFailure.ofInput("No array, or several, have the id, id prefix or name %s.".formatted(array));
    }

    private static String query(List<String> filters) {
        return filters.isEmpty() ? "" : "?" + String.join("&", filters);
    }

    private static void add(List<String> filters, String name, @Nullable String value) {
        if (value != null) {
            filters.add(ServiceOptions.parameter(name, value));
        }
    }

    /** Returns the state of a job, with a mark if it is held. */
    static String state(JsonNode job) {
        if (ArrayRow.isArray(job)) {
            return ArrayRow.states(job);
        }
        return job.path("state").asString() + (job.path("held").asBoolean() ? " (held)" : "");
    }

    /** Returns the slots that a job holds: a part of one for a share of a device. */
    private static String slots(JsonNode job) {
        if (ArrayRow.isArray(job)) {
            return BigDecimal.valueOf(Math.round(100 * job.path("slots").asDouble(0)), 2)
                    .stripTrailingZeros()
                    .toPlainString();
        }
        JsonNode slots = job.at("/allocation/configuration/slots");
        return slots.isNumber() && job.has("deviceShare") ? text(job.path("deviceShare")) : text(slots);
    }

    private static String nodes(JsonNode job) {
        if (job.has("grant")) {
            return job.at("/grant/node").asString();
        }
        List<String> nodes = job.at("/allocation/placement")
                .valueStream()
                .map(piece -> piece.path("node").asString())
                .toList();
        return nodes.isEmpty() ? "-" : String.join(",", nodes);
    }
}
