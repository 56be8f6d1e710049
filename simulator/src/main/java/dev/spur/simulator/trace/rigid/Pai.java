package dev.spur.simulator.trace.rigid;

import dev.spur.model.job.HostDemand;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reader of Alibaba's PAI trace of 2020: {@code pai_task_table.csv}, and next to it {@code pai_job_table.csv} for users
 * and submission times. Both have no header, as published.
 *
 * <p>The tasks of a job run together. Its accelerators are the sum over its tasks; a fraction of an accelerator counts
 * as one. The job held them from the first start to the last end of these tasks. Source: Weng et al., NSDI '22.
 */
public final class Pai implements TraceReader {
    private static final List<String> TASKS = List.of(
            "job_name",
            "task_name",
            "inst_num",
            "status",
            "start_time",
            "end_time",
            "plan_cpu",
            "plan_mem",
            "plan_gpu",
            "gpu_type");
    private static final List<String> JOBS = List.of("job_name", "inst_id", "user", "status", "start_time", "end_time");

    @Override
    public String format() {
        return "pai";
    }

    @Override
    public String summary() {
        return "Alibaba PAI of 2020, pai_task_table.csv next to pai_job_table.csv";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        Map<String, Row> submissions = new HashMap<>();
        Path jobs = file.resolveSibling("pai_job_table.csv");
        if (Files.exists(jobs)) {
            DelimitedTable.readHeaderless(jobs, JOBS)
                    .forEach(row -> row.text("job_name").ifPresent(name -> submissions.put(name, row)));
        }
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        List<String> types = options.nodes().stream()
                .map(node -> node.acceleratorType() == null ? "" : node.acceleratorType())
                .distinct()
                .toList();
        tasks(file, trace).forEach((name, taskRows) -> trace.add(toRow(name, taskRows, submissions.get(name), types)));
        return trace.build("PAI");
    }

    /** Returns the tasks with accelerators, by their job. Jobs without accelerators are counted as one row each. */
    private static Map<String, List<Row>> tasks(Path file, RigidTrace trace) throws IOException {
        Map<String, List<Row>> byJob = new LinkedHashMap<>();
        for (Row row : DelimitedTable.readHeaderless(file, TASKS)) {
            Optional<String> name = row.text("job_name");
            if (name.isEmpty()) {
                trace.skip("no name of a job");
            } else if (!name.get().equals("job_name")) {
                List<Row> taskRows = byJob.computeIfAbsent(name.get(), key -> new ArrayList<>());
                if (row.number("plan_gpu").orElse(0) > 0) {
                    taskRows.add(row);
                }
            }
        }
        return byJob;
    }

    private static TraceRow toRow(String name, List<Row> taskRows, @Nullable Row row, List<String> types) {
        int slots = taskRows.stream().mapToInt(Pai::slots).sum();
        OptionalDouble start = taskRows.stream()
                .flatMapToDouble(taskRow -> taskRow.number("start_time").stream())
                .min();
        OptionalDouble end = taskRows.stream()
                .flatMapToDouble(taskRow -> taskRow.number("end_time").stream())
                .max();
        boolean complete = start.isPresent()
                && end.isPresent()
                && taskRows.stream()
                        .allMatch(taskRow -> taskRow.number("end_time").isPresent());
        OptionalDouble submitted = row == null ? OptionalDouble.empty() : row.number("start_time");
        return new TraceRow(
                name,
                row == null ? RigidTraceDefaults.TENANT : row.text("user").orElse(RigidTraceDefaults.TENANT),
                submitted.isPresent() ? submitted : start,
                OptionalInt.of(slots),
                complete ? OptionalDouble.of(end.getAsDouble() - start.getAsDouble()) : OptionalDouble.empty(),
                request(taskRows, types));
    }

    /** Returns instances times the accelerators of each, rounded up: {@code plan_gpu} is in hundredths. */
    private static int slots(Row row) {
        int instances = row.count("inst_num").orElse(1);
        return instances * (int) Math.ceil(row.number("plan_gpu").orElse(0) / 100);
    }

    /** Returns a request for the recorded accelerator type of the job, if it is unique and the cluster has it. */
    private static ResourceRequest request(List<Row> taskRows, List<String> types) {
        List<String> desired = taskRows.stream()
                .flatMap(row -> row.text("gpu_type").stream())
                .distinct()
                .filter(types::contains)
                .toList();
        return desired.size() == 1
                ? new ResourceRequest(desired, HostDemand.NONE, MaxNodes.DOUBLING)
                : ResourceRequest.NOTHING;
    }
}
