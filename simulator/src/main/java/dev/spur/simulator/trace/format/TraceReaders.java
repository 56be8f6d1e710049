package dev.spur.simulator.trace.format;

import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.elasticflow.ElasticFlowTrace;
import dev.spur.simulator.trace.gavel.GavelTrace;
import dev.spur.simulator.trace.measured.MeasuredWorkload;
import dev.spur.simulator.trace.rigid.ColumnTrace;
import dev.spur.simulator.trace.rigid.Dlrm;
import dev.spur.simulator.trace.rigid.Itp;
import dev.spur.simulator.trace.rigid.Openb;
import dev.spur.simulator.trace.rigid.Pai;
import dev.spur.simulator.trace.rigid.PhillyCsv;
import dev.spur.simulator.trace.rigid.PhillyJson;
import dev.spur.simulator.trace.rigid.Sacct;
import dev.spur.simulator.trace.rigid.SlurmCsv;
import dev.spur.simulator.trace.rigid.Swf;
import dev.spur.simulator.trace.rigid.TiresiasTrace;
import dev.spur.simulator.trace.spurformat.SpurTrace;
import dev.spur.simulator.trace.synthetic.SyntheticTrace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Registry of trace formats by name. */
public final class TraceReaders {
    private static final List<TraceReader> ALL = Stream.of(
                    MeasuredWorkload.all(),
                    List.of(
                            GavelTrace.gavel(),
                            GavelTrace.shockwave(),
                            new ElasticFlowTrace(),
                            new SyntheticTrace(),
                            new SpurTrace(),
                            new PhillyCsv(),
                            new PhillyJson(),
                            new Itp(),
                            SlurmCsv.helios(),
                            SlurmCsv.acme(),
                            new Pai(),
                            new Openb(),
                            new Dlrm(),
                            new Sacct(),
                            new Swf(),
                            new ColumnTrace(),
                            TiresiasTrace.consolidatedReader(),
                            TiresiasTrace.anySlotsReader()))
            .flatMap(List::stream)
            .toList();

    private TraceReaders() {}

    /** Returns all readers; the names of their formats are unique. */
    public static List<TraceReader> all() {
        return ALL;
    }

    /**
     * Returns the reader of {@code format}; empty if there is none. It fails if no row of a file could be read, and its
     * message names the formats that would fit.
     */
    public static Optional<TraceReader> of(String format) {
        return ALL.stream()
                .filter(reader -> reader.format().equals(format))
                .findFirst()
                .map(reader -> new SuggestingReader(reader, ALL));
    }
}
