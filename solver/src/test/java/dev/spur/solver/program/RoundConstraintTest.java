package dev.spur.solver.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.PendingReason;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.StallLoss;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.resource.ResourceKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of constraints in the formulation is that of the program, the relaxation, the validator and the reasons.
 */
class RoundConstraintTest {
    private static final Path VALIDATOR = Path.of("../model/src/main/java/dev/spur/model/validation");
    private static final List<String> CHECKS =
            List.of("PlanCheck", "AllocationsCheck", "AllocationCheck", "CapacityCheck", "QuotaCheck", "GroupCheck");
    private static final Pattern RULE = Pattern.compile("\"([a-z]+[A-Z][A-Za-z]+)\"");
    /** Rules that compare values of a plan with those of the validator, or that concern data preparations. */
    private static final Set<String> OTHER_RULES =
            Set.of("utilityIsAsStated", "classesAreAsStated", "everyPreparationIsDecidedOnce");
    /** Constraints that the candidates and the fixing state. */
    private static final Set<String> WITHOUT_ROWS = Set.of("ACCESS", "PROTECTION");

    private static final Set<RoundConstraint> CUTS = Set.of(RoundConstraint.CONFLICT_CUT, RoundConstraint.LOSS_CUT);
    /** The packing patterns of the nodes contain the hosts. */
    private static final Map<Class<? extends ResourceKey>, RoundConstraint> CONSTRAINT_BY_KEY = Map.of(
            ResourceKey.NodePieces.class, RoundConstraint.SLOTS,
            ResourceKey.Aggregation.class, RoundConstraint.AGGREGATION,
            ResourceKey.PoolCpus.class, RoundConstraint.AGGREGATION,
            ResourceKey.QuotaSlots.class, RoundConstraint.QUOTAS,
            ResourceKey.QuotaClaim.class, RoundConstraint.QUOTAS,
            ResourceKey.GroupSlots.class, RoundConstraint.GROUP_CAPS,
            ResourceKey.GroupJobs.class, RoundConstraint.GROUP_CAPS,
            ResourceKey.Restarts.class, RoundConstraint.RESTARTS);

    private static final String TITLE = "| constraint | rules of the plan validator | pending reasons |";
    private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+)` \\| ([^|]*) \\| ([^|]*) \\|");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Rules of the validator and pending reasons of a constraint. */
    private record TableRow(List<String> rules, List<String> pendingReasons) {}

    /** Returns the table of the formulation. */
    private static Map<String, TableRow> table() throws IOException {
        Map<String, TableRow> rows = new TreeMap<>();
        String page = Files.readString(Path.of("../docs/model/formulation.md"));
        int begin = page.indexOf(TITLE);
        ROW.matcher(page.substring(begin, page.indexOf("\n\n", begin)))
                .results()
                .forEach(row -> rows.put(row.group(1), new TableRow(codes(row.group(2)), codes(row.group(3)))));
        return rows;
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    private static RoundProblem problem(long seed) {
        return seed % 2 == 0 ? RandomProblems.problem(seed, 8, 15) : GroupedProblems.problem(seed, 8, 15);
    }

    @Test
    void programsHaveRowsOfAllConstraintsThatCandidatesAndFixingDoNotState() throws IOException {
        Set<String> found = new TreeSet<>();
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
                .containsExactlyInAnyOrderElementsOf(Stream.of(RoundConstraint.values())
                        .filter(own -> !CUTS.contains(own))
                        .map(Enum::name)
                        .toList());
        found.addAll(WITHOUT_ROWS);
        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(found);
    }

    @Test
    void cutsHaveNamesOfTheirOwn() {
        CandidateSet candidates = CandidateGenerator.generate(problem(0));
        RoundProgram program = new RoundProgram(candidates);
        Map<String, Integer> before = program.rowsByConstraint();
        int open = IntStream.range(0, candidates.jobs())
                .filter(j -> !candidates.isPinned(j) && candidates.first(j) < candidates.end(j))
                .map(candidates::first)
                .findFirst()
                .orElseThrow();

        program.isNotPlacedTogether(List.of(open));
        program.stallsAreCharged(new StallLoss(0, List.of(open), 0.5));

        Map<String, Integer> added = new TreeMap<>(program.rowsByConstraint());
        added.entrySet().removeAll(before.entrySet());
        assertThat(added).containsOnly(Map.entry("CONFLICT_CUT", 1), Map.entry("LOSS_CUT", 1));
    }

    @Test
    void rowsOfTheRelaxationAreThoseThatCoupleJobs() {
        Set<RoundConstraint> found = new HashSet<>();
        for (long seed = 0; seed < 60; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(problem(seed));
            CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS)
                    .rows()
                    .forEach(row -> found.add(CONSTRAINT_BY_KEY.get(row.key().getClass())));
        }

        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        CONSTRAINT_BY_KEY.values().stream().distinct().toList());
    }

    @Test
    void eachRuleOfTheValidatorBelongsToOneConstraint() throws IOException {
        Set<String> rules = new TreeSet<>();
        for (String check : CHECKS) {
            RULE.matcher(Files.readString(VALIDATOR.resolve(check + ".java")))
                    .results()
                    .map(match -> match.group(1))
                    .forEach(rules::add);
        }
        rules.removeAll(OTHER_RULES);

        assertThat(table().values().stream().flatMap(row -> row.rules().stream()))
                .containsExactlyInAnyOrderElementsOf(rules);
    }

    @Test
    void noPendingReasonBelongsToTwoConstraints() throws IOException {
        Set<String> known = Stream.of(PendingReason.values()).map(Enum::name).collect(Collectors.toSet());

        assertThat(table().values().stream().flatMap(row -> row.pendingReasons().stream()))
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .isSubsetOf(known);
    }
}
