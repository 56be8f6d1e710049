package dev.spur.solver.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundConstraint;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.RelaxationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each constraint of a round has one name in the program, the relaxation, the validator, the reasons and the docs. */
class RoundConstraintTest {
    private static final Path VALIDATOR = Path.of("../model/src/main/java/dev/spur/model/validation");
    private static final List<String> CHECKS =
            List.of("PlanCheck", "AllocationsCheck", "AllocationCheck", "CapacityCheck", "QuotaCheck", "GroupCheck");
    private static final Pattern RULE = Pattern.compile("\"([a-z]+[A-Z][A-Za-z]+)\"");
    /** Rules that compare values of a plan with those of the validator, or that concern data preparations. */
    private static final Set<String> OTHER_RULES =
            Set.of("utilityIsAsStated", "classesAreAsStated", "everyPreparationIsDecidedOnce");

    private static RoundProblem problem(long seed) {
        return seed % 2 == 0 ? RandomProblems.problem(seed, 8, 15) : GroupedProblems.problem(seed, 8, 15);
    }

    @Test
    void programsHaveRowsOfAllConstraintsThatCandidatesAndFixingDoNotState() {
        Set<RoundConstraint> found = EnumSet.noneOf(RoundConstraint.class);
        for (long seed = 0; seed < 60; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(problem(seed));
            RoundProgram program = new RoundProgram(candidates);
            IntStream.range(0, candidates.jobs())
                    .filter(j -> !candidates.isPinned(j) && candidates.first(j) < candidates.end(j))
                    .limit(1)
                    .forEach(j -> program.obligationsAreMet(List.of(new Obligation(j, List.of(candidates.first(j))))));
            found.addAll(program.rowsByConstraint().keySet());
        }

        assertThat(found)
                .isEqualTo(EnumSet.complementOf(EnumSet.of(RoundConstraint.ACCESS, RoundConstraint.PROTECTION)));
    }

    /** The packing patterns of the nodes contain the hosts. */
    @Test
    void rowsOfTheRelaxationAreThoseThatCoupleJobs() {
        Set<RoundConstraint> found = EnumSet.noneOf(RoundConstraint.class);
        for (long seed = 0; seed < 60; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(problem(seed));
            CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS)
                    .rows()
                    .forEach(row -> found.add(row.key().constraint()));
        }

        assertThat(found)
                .containsExactlyInAnyOrder(
                        RoundConstraint.SLOTS,
                        RoundConstraint.AGGREGATION,
                        RoundConstraint.QUOTAS,
                        RoundConstraint.GROUP_CAPS,
                        RoundConstraint.RESTARTS);
    }

    @Test
    void eachRuleOfTheValidatorBelongsToOneConstraint() throws IOException {
        Set<String> rules = new TreeSet<>();
        for (String check : CHECKS) {
            RULE.matcher(Files.readString(VALIDATOR.resolve(check + ".java")))
                    .results()
                    .forEach(match -> rules.add(match.group(1)));
        }
        rules.removeAll(OTHER_RULES);

        assertThat(Stream.of(RoundConstraint.values()).flatMap(own -> own.rules().stream()))
                .containsExactlyInAnyOrderElementsOf(rules);
    }

    @Test
    void noPendingReasonBelongsToTwoConstraints() {
        Set<PendingReason> found = new HashSet<>();

        for (RoundConstraint roundConstraint : RoundConstraint.values()) {
            assertThat(roundConstraint.pendingReasons()).allMatch(found::add);
        }
    }

    @Test
    void formulationHasTheTable() throws IOException {
        String page = Files.readString(Path.of("../docs/model/formulation.md"));

        assertThat(page)
                .contains(Stream.of(RoundConstraint.values())
                        .map(RoundConstraintTest::row)
                        .toList());
    }

    private static String row(RoundConstraint own) {
        return "| `%s` | %s | %s |".formatted(own, list(own.rules()), list(own.pendingReasons()));
    }

    private static String list(Set<?> values) {
        return values.isEmpty()
                ? "–"
                : values.stream().map(value -> "`" + value + "`").sorted().collect(Collectors.joining(", "));
    }
}
