package dev.spur.benchmarks;

import dev.spur.benchmarks.browser.HeadlessBrowser;
import dev.spur.benchmarks.browser.Viewport;
import dev.spur.benchmarks.browser.Visit;
import dev.spur.benchmarks.instance.InstanceGenerator;
import dev.spur.benchmarks.load.ProblemLoader;
import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.benchmarks.load.SpurClient;
import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.benchmarks.scaling.Size;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Benchmark of the dashboard on a large cluster: load time, transferred bytes and accessibility violations of each
 * view.
 */
final class DashboardBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "view",
            "screen",
            "shown_ms",
            "largest_paint_ms",
            "long_tasks",
            "longest_ms",
            "requests",
            "transferred_kib",
            "decoded_kib",
            "elements",
            "violations");
    private static final int KIB = 1024;
    /** Observation time of a view; long enough for at least one automatic refresh. */
    private static final Duration WATCH = Duration.ofSeconds(7);

    @Option(
            names = "--size",
            paramLabel = "JOBSxSLOTS",
            defaultValue = "5000x6500",
            description = "Jobs and slots (${DEFAULT-VALUE}, which is 1,000 nodes).")
    private String size = "";

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "Time limit for the plan of the round, in seconds (${DEFAULT-VALUE}).")
    private double budget;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of cluster and jobs (${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--pictures",
            paramLabel = "FOLDER",
            description = "Directory for screenshots of each view in the light and dark theme.")
    private @Nullable Path pictures;

    @Override
    public String name() {
        return "dashboard";
    }

    @Override
    public String summary() {
        return "load time, transfer, long tasks and accessibility violations of each view with 1,000 nodes and 5,000 jobs";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path home = Files.createTempDirectory("spur-bench");
        try (ServiceProcess service = ServiceProcess.start(home, Map.of())) {
            SpurClient client = new SpurClient(service.address(), "bench");
            fill(client);
            List<List<String>> rows = new ArrayList<>();
            try (HeadlessBrowser viewer = HeadlessBrowser.open(service.address())) {
                List<String> views = new ArrayList<>(viewer.views());
                views.add("job/" + client.awaitPlan(1).at("/running/0/jobId").asString());
                for (String view : views) {
                    for (Viewport screen : Viewport.values()) {
                        rows.add(row(view, screen, viewer.visit(view, screen, WATCH)));
                        captureScreenshot(viewer, view, screen);
                    }
                }
            }
            return new ResultTable(HEADER, rows);
        } finally {
            ServiceProcess.delete(home);
        }
    }

    private void fill(SpurClient client) throws Exception {
        Size requested = Size.parse(size);
        RoundProblem problem = InstanceGenerator.waiting(
                seed,
                requested.jobs(),
                requested.slots(),
                ConstraintSet.parse("full").get(0).features(),
                RoundSettings.DEFAULT);
        client.planOnDemand(budget);
        ProblemLoader filling = new ProblemLoader(client);
        filling.register(problem);
        filling.submit(problem.jobs(), "first");
        JsonNode round = client.plan();
        if (!round.path("status").asString().equals("PUBLISHED")) {
            throw new IllegalStateException("The round that places the jobs failed: "
                    + round.path("error").asString());
        }
    }

    private void captureScreenshot(HeadlessBrowser viewer, String view, Viewport screen) throws IOException {
        if (pictures == null) {
            return;
        }
        Files.createDirectories(pictures);
        for (String theme : List.of("light", "dark")) {
            viewer.captureScreenshot(
                    theme,
                    pictures.resolve(
                            "%s-%s-%s.png".formatted(kind(view), screen.name().toLowerCase(Locale.ROOT), theme)));
        }
    }

    private static String kind(String view) {
        return view.split("/", 2)[0];
    }

    private static List<String> row(String view, Viewport screen, Visit visit) {
        visit.barriers().forEach(barrier -> System.err.println(view + ": " + barrier));
        return List.of(
                kind(view),
                screen.name().toLowerCase(Locale.ROOT),
                whole(visit.shownMillis()),
                whole(visit.largestPaintMillis()),
                Integer.toString(visit.longTasks()),
                whole(visit.longestTaskMillis()),
                Integer.toString(visit.requests()),
                whole((double) visit.transferredBytes() / KIB),
                whole((double) visit.decodedBytes() / KIB),
                Integer.toString(visit.elements()),
                Integer.toString(visit.barriers().size()));
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
