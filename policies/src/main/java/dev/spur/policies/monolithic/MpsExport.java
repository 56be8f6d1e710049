package dev.spur.policies.monolithic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Integer programs of a round as files in MPS format, which other MIP solvers read. The optimum of a program is at
 * least the objective value of a plan: its choice may have no placement, which {@link RoundProgram} excludes by cuts.
 */
public final class MpsExport {
    /** End of the name of each file. */
    public static final String SUFFIX = ".mps";

    private final List<Stage> stages = new ArrayList<>();

    /** One solve of the policy. */
    private record Stage(CandidateSet candidates, List<Obligation> obligations) {}

    /** Returns Spur's policy. This export records the programs of its rounds. */
    public Policy policy() {
        return Policies.of(Policies.spur().name(), (candidates, obligations, filledPlacement, budget, steps) -> {
            stages.add(new Stage(candidates, obligations));
            return Policies.decomposition().solve(candidates, obligations, filledPlacement, budget, steps);
        });
    }

    /**
     * Writes the recorded programs in the order of their solves: the first to {@code file}, the k-th to a file with -k
     * before its suffix. A round has several programs with several priority classes, or where commitments have no
     * placement together.
     *
     * @param file name that ends with {@link #SUFFIX}
     * @return the files
     * @throws IOException if a file cannot be written
     */
    public List<Path> write(Path file) throws IOException {
        String path = file.toString();
        if (!path.endsWith(SUFFIX)) {
            throw new IllegalArgumentException("the name %s does not end with %s".formatted(path, SUFFIX));
        }
        String stem = path.substring(0, path.length() - SUFFIX.length());
        List<Path> files = new ArrayList<>();
        for (Stage stage : stages) {
            RoundProgram program = new RoundProgram(stage.candidates());
            program.obligationsAreMet(stage.obligations());
            program.maximizeWorth();
            Path own = files.isEmpty() ? file : Path.of(stem + "-" + (files.size() + 1) + SUFFIX);
            Highs.write(program, own);
            files.add(own);
        }
        return files;
    }
}
