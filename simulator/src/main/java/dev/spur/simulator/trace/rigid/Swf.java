package dev.spur.simulator.trace.rigid;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Reader of the Standard Workload Format 2 of the Parallel Workloads Archive: 18 numbers for each job, -1 for an
 * unknown one, and comments that begin with a semicolon. Processors count as accelerators; the tenant is the group, or
 * else the user. The requested time is the time limit of each start. A job with a preceding job starts after its end.
 * Source: Chapin et al., JSSPP '99.
 */
public final class Swf implements TraceReader {
    private static final int COLUMNS = 18;
    private static final int ID = 0;
    private static final int SUBMIT = 1;
    private static final int RUN_TIME = 3;
    private static final int ALLOCATED = 4;
    private static final int REQUESTED = 7;
    private static final int REQUESTED_TIME = 8;
    private static final int USER = 11;
    private static final int GROUP = 12;
    private static final int PRECEDING = 16;

    @Override
    public String format() {
        return "swf";
    }

    @Override
    public String summary() {
        return "Standard Workload Format of the Parallel Workloads Archive";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith(";")) {
                trace.add(toRow(text.split("\\s+"), "%s, line %d".formatted(file, number)));
            }
        }
        return trace.build("swf");
    }

    private static TraceRow toRow(String[] fields, String place) throws IOException {
        if (fields.length != COLUMNS) {
            throw new IOException("%s has %d columns instead of %d".formatted(place, fields.length, COLUMNS));
        }
        double[] values = new double[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            try {
                values[i] = Double.parseDouble(fields[i]);
            } catch (NumberFormatException noNumber) {
                throw new IOException("%s: column %d is no number: %s".formatted(place, i + 1, fields[i]), noNumber);
            }
        }
        int processors = (int) (values[ALLOCATED] > 0 ? values[ALLOCATED] : values[REQUESTED]);
        return new TraceRow(
                fields[ID],
                tenant(values),
                values[SUBMIT] < 0 ? OptionalDouble.empty() : OptionalDouble.of(values[SUBMIT]),
                processors < 0 ? OptionalInt.empty() : OptionalInt.of(processors),
                values[RUN_TIME] < 0 ? OptionalDouble.empty() : OptionalDouble.of(values[RUN_TIME]),
                ResourceRequest.NOTHING,
                values[REQUESTED_TIME] > 0 ? OptionalDouble.of(values[REQUESTED_TIME]) : OptionalDouble.empty(),
                values[PRECEDING] <= 0 ? null : fields[PRECEDING]);
    }

    private static String tenant(double[] values) {
        if (values[GROUP] >= 0) {
            return "group-" + (long) values[GROUP];
        }
        return values[USER] < 0 ? RigidTraceDefaults.TENANT : "user-" + (long) values[USER];
    }
}
