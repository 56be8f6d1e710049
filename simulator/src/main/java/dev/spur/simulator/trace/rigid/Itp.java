package dev.spur.simulator.trace.rigid;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Reader of Microsoft's ITP traces: {@code job_id,submission_time,duration,num_gpu} for each of ten clusters, in one
 * compressed archive or unpacked. {@code raw-traces.tar.gz} reads all clusters, {@code raw-traces.tar.gz/cluster06.csv}
 * one. The tenant of a job is its cluster. Source of the trace: Gu et al., ElasticFlow, ASPLOS '23.
 */
public final class Itp implements TraceReader {
    private static final String ARCHIVE = ".tar.gz";

    @Override
    public String format() {
        return "itp";
    }

    @Override
    public String summary() {
        return "Microsoft ITP: the archive, one cluster in it, or one unpacked file";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        RigidTrace trace = new RigidTrace(options, RigidTraceDefaults.RESTART_SECONDS);
        Path parent = file.getParent();
        String name = file.getFileName().toString();
        if (name.endsWith(ARCHIVE)) {
            readArchive(file, "", trace);
        } else if (parent != null && parent.toString().endsWith(ARCHIVE)) {
            readArchive(parent, name, trace);
        } else {
            try (Reader reader = Files.newBufferedReader(file)) {
                readCluster(reader, name, trace);
            }
        }
        return trace.build("ITP");
    }

    /** Reads the entry {@code desired}, or all clusters if that is empty. */
    private static void readArchive(Path archive, String desired, RigidTrace trace) throws IOException {
        boolean found = false;
        try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
                TarArchiveInputStream entries = new TarArchiveInputStream(new GZIPInputStream(file))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                String name = Path.of(entry.getName()).getFileName().toString();
                if (name.endsWith(".csv") && (desired.isEmpty() || name.equals(desired))) {
                    found = true;
                    String text = new String(entries.readAllBytes(), StandardCharsets.UTF_8);
                    readCluster(new StringReader(text), name, trace);
                }
            }
        }
        if (!found) {
            throw new IOException("%s holds no file %s".formatted(archive, desired.isEmpty() ? "*.csv" : desired));
        }
    }

    private static void readCluster(Reader reader, String name, RigidTrace trace) throws IOException {
        String cluster = name.replace(".csv", "");
        for (Row row : DelimitedTable.read(reader, name, "job_id", "submission_time", "duration", "num_gpu")) {
            trace.add(new TraceRow(
                    cluster + "/" + row.text("job_id").orElse("row-" + row.number()),
                    cluster,
                    row.seconds("submission_time"),
                    row.count("num_gpu"),
                    row.number("duration")));
        }
    }
}
