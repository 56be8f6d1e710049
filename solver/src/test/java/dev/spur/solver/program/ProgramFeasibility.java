package dev.spur.solver.program;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Asks the program whether some choices hold together; jobs that are not named are left to the solver. */
final class ProgramFeasibility {
    private final CandidateSet candidates;
    private final RoundProgram program;
    private final List<Obligation> desired = new ArrayList<>();

    private ProgramFeasibility(ProblemFixture fixture) {
        candidates = CandidateGenerator.generate(fixture.build());
        program = new RoundProgram(candidates);
    }

    static ProgramFeasibility of(ProblemFixture fixture) {
        return new ProgramFeasibility(fixture);
    }

    /** True if all jobs of the problem can run together, in whatever way. */
    static boolean allRun(ProblemFixture fixture) {
        ProgramFeasibility choices = new ProgramFeasibility(fixture);
        choices.candidates.problem().jobs().forEach(job -> choices.choose(job.id(), candidate -> true));
        return choices.hold();
    }

    /** These jobs start, or start again. */
    ProgramFeasibility start(String... jobs) {
        for (String job : jobs) {
            choose(job, candidate -> !candidate.isRetained());
        }
        return this;
    }

    /** This job starts in this shape. */
    ProgramFeasibility start(String job, List<Integer> shape) {
        return choose(
                job,
                candidate -> !candidate.isRetained()
                        && candidate.configuration().shape().equals(shape));
    }

    ProgramFeasibility keep(String... jobs) {
        for (String job : jobs) {
            choose(job, Candidate::isRetained);
        }
        return this;
    }

    ProgramFeasibility stop(String... jobs) {
        for (String job : jobs) {
            of(job, candidate -> true).forEach(c -> program.isNotPlacedTogether(List.of(c)));
        }
        return this;
    }

    boolean hold() {
        program.obligationsAreMet(desired);
        return solve().choice() != null;
    }

    RoundProgram program() {
        return program;
    }

    CandidateSet candidates() {
        return candidates;
    }

    Solution solve() {
        return CpSat.solve(program, new SolveBudget(10, 20, 1, 1), 0);
    }

    private ProgramFeasibility choose(String job, Predicate<Candidate> which) {
        List<Integer> found = of(job, which);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("job %s has no such candidate".formatted(job));
        }
        desired.add(new Obligation(index(job), found));
        return this;
    }

    /** The candidates of {@code job} that are as wanted. */
    List<Integer> of(String job, Predicate<Candidate> which) {
        int j = index(job);
        return IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> which.test(candidates.get(c)))
                .boxed()
                .toList();
    }

    int index(String job) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.job(j).id().equals(job))
                .findFirst()
                .orElseThrow();
    }
}
