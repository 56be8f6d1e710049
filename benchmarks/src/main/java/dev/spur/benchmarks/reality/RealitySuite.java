package dev.spur.benchmarks.reality;

import dev.spur.model.Checks;
import dev.spur.model.json.RoundJson;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reality suite.
 *
 * @param classes names of classes; a name that ends in {@code *} selects by its beginning; empty for all
 * @param seeds seeds of the scenarios of each class, at least one
 * @param policies names of policies of the registry, at least one
 * @param jobs jobs of a scenario, at least 5
 * @param effort effort of a decision
 * @param workers replays at a time, at least 1
 */
public record RealitySuite(
        List<String> classes, List<Long> seeds, List<String> policies, int jobs, DecisionEffort effort, int workers) {
    private static final String ANY = "*";
    private static final Pattern SCENARIO = Pattern.compile("([a-z0-9-]+):([0-9]{1,18})");

    /**
     * Tables of the suite.
     *
     * @param summary a row for each class
     * @param byPolicy a row for each class and policy
     */
    public record Tables(ResultTable summary, ResultTable byPolicy) {}

    public RealitySuite {
        classes = Checks.copy(classes);
        seeds = Checks.copy(seeds);
        policies = Checks.copy(policies);
        Checks.require(!seeds.isEmpty(), "The suite requires a seed");
        Checks.require(!policies.isEmpty(), "The suite requires a policy");
        Checks.atLeast("jobs", jobs, 5);
        Checks.atLeast("workers", workers, 1);
        for (String name : policies) {
            Checks.require(PolicyRegistry.policy(name).isPresent(), "There is no policy %s", name);
        }
        for (String name : classes) {
            Checks.require(
                    classNames().stream().anyMatch(other -> matches(name, other)),
                    "There is no class %s, but: %s",
                    name,
                    String.join(", ", classNames()));
        }
    }

    /** Returns the names of all classes, those of random scenarios first. */
    static List<String> classNames() {
        return Stream.concat(
                        ScenarioClasses.all().stream().map(ScenarioClass::name),
                        FieldCase.all().stream().map(field -> field.kind().name()))
                .toList();
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith(ANY)
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    private boolean isChosen(String name) {
        return classes.isEmpty() || classes.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /**
     * Replays all scenarios.
     *
     * @param subject policy that the summary compares with the others
     * @param json file for a row of each scenario and policy; null for none
     * @param progress receives a line for each ended replay
     */
    public Tables run(String subject, @Nullable Path json, Consumer<String> progress)
            throws IOException, InterruptedException {
        List<Scenario> scenarios = scenarios();
        AtomicInteger ended = new AtomicInteger();
        int all = scenarios.size() * policies.size();
        List<Outcome> outcomes = Suite.run(scenarios, policies, workers, outcome -> {
            int count = ended.incrementAndGet();
            progress.accept(String.format(
                    Locale.ROOT,
                    "%d of %d: %s under %s: %d rounds in %.1f s",
                    count,
                    all,
                    outcome.scenario(),
                    outcome.policy(),
                    outcome.rounds(),
                    outcome.wallSeconds()));
        });
        if (json != null) {
            Files.writeString(json, RoundJson.mapper().writeValueAsString(outcomes));
        }
        SuiteResult result = new SuiteResult(outcomes);
        return new Tables(result.summary(subject), result.byPolicy());
    }

    /**
     * Writes one scenario as {@code trace.json} (format {@code spur}) and {@code cluster.json}, without quotas and
     * reservations.
     *
     * @param id class and seed, such as {@code rigid-known:3}
     * @param target folder, which is created if it is missing
     */
    public void export(String id, Path target) throws IOException {
        ScenarioExport.write(scenario(id), target);
    }

    /** Returns the scenario {@code CLASS:SEED} with the number of jobs of the suite. */
    Scenario scenario(String id) {
        Matcher matcher = SCENARIO.matcher(id);
        Checks.require(matcher.matches(), "%s is not a class and a seed, such as rigid-known:3", id);
        String name = matcher.group(1);
        long seed = Long.parseLong(matcher.group(2));
        return new RealitySuite(List.of(name), List.of(seed), policies, jobs, effort, workers)
                .scenarios()
                .get(0);
    }

    private List<Scenario> scenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        for (ScenarioClass kind : ScenarioClasses.all()) {
            if (isChosen(kind.name())) {
                seeds.forEach(seed -> scenarios.add(ScenarioGenerator.generate(kind, seed, jobs, effort)));
            }
        }
        FieldCase.all().stream()
                .filter(field -> isChosen(field.kind().name()))
                .forEach(field -> scenarios.add(field.scenario(effort)));
        return scenarios;
    }
}
