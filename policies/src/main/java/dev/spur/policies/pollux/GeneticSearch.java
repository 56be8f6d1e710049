package dev.spur.policies.pollux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Genetic search: crossover row by row, random mutation, repair, and survival of the fittest. */
final class GeneticSearch {
    private final PolluxProblem problem;
    private final PolluxSettings settings;
    private final SplittableRandom random;
    private final Mutation mutation;

    GeneticSearch(PolluxProblem problem, PolluxSettings settings, long seed) {
        this.problem = problem;
        this.settings = settings;
        this.random = new SplittableRandom(seed);
        this.mutation = new Mutation(problem, random);
    }

    /**
     * Returns the slots by row and column of the fittest plan found; the initial population contains the current
     * allocations.
     */
    int[][] best() {
        List<Individual> individuals = new ArrayList<>();
        int[][] present = new int[problem.rows()][];
        Arrays.setAll(present, row -> problem.current(row).clone());
        individuals.add(rate(present));
        while (individuals.size() < settings.population()) {
            int[][] child = copy(individuals.get(0).slots());
            mutation.change(child);
            individuals.add(rate(child));
        }
        for (int i = 0; i < settings.generations(); i++) {
            individuals = nextGeneration(individuals);
        }
        return individuals.stream()
                .max(Comparator.comparingDouble(Individual::fitness))
                .orElseThrow()
                .slots();
    }

    /**
     * Returns the fittest of a population and its children, each plan once; otherwise copies of the fittest would
     * displace all others.
     */
    private List<Individual> nextGeneration(List<Individual> individuals) {
        Set<Individual> all = new LinkedHashSet<>(individuals);
        for (int i = 0; i < settings.population(); i++) {
            int[][] child =
                    cross(parent(individuals).slots(), parent(individuals).slots());
            mutation.change(child);
            all.add(rate(child));
        }
        return all.stream()
                .sorted(Comparator.comparingDouble(Individual::fitness).reversed())
                .limit(settings.population())
                .toList();
    }

    /** Returns the fitter of two random plans. */
    private Individual parent(List<Individual> individuals) {
        Individual first = individuals.get(random.nextInt(individuals.size()));
        Individual second = individuals.get(random.nextInt(individuals.size()));
        return first.fitness() >= second.fitness() ? first : second;
    }

    private int[][] cross(int[][] first, int[][] second) {
        int cut = random.nextInt(first.length + 1);
        int[][] child = new int[first.length][];
        for (int row = 0; row < child.length; row++) {
            child[row] = (row < cut ? first : second)[row].clone();
        }
        return child;
    }

    private static int[][] copy(int[][] plan) {
        int[][] copy = new int[plan.length][];
        Arrays.setAll(copy, row -> plan[row].clone());
        return copy;
    }

    private Individual rate(int[][] plan) {
        repair(plan);
        return new Individual(plan, problem.fitness(plan, settings.power()));
    }

    /**
     * Repairs a plan: at most one multi-node job on each node, no node above its capacity, and only slot counts that
     * the jobs allow.
     */
    private void repair(int[][] plan) {
        boolean[] shared = new boolean[problem.columns()];
        int[] left = new int[problem.columns()];
        Arrays.setAll(left, problem::capacity);
        for (int row = 0; row < plan.length; row++) {
            int[] own = plan[row];
            boolean spread = isSpread(own);
            for (int column = 0; column < own.length; column++) {
                if (own[column] > 0 && spread && shared[column]) {
                    own[column] = 0;
                }
                own[column] = Math.min(own[column], left[column]);
            }
            trim(row, own);
            boolean stillSpread = isSpread(own);
            for (int column = 0; column < own.length; column++) {
                left[column] -= own[column];
                shared[column] |= stillSpread && own[column] > 0;
            }
        }
    }

    private static boolean isSpread(int[] own) {
        int nodes = 0;
        for (int slots : own) {
            nodes += slots > 0 ? 1 : 0;
        }
        return nodes > 1;
    }

    /** Removes slots from nodes, beginning with a random one, until the job allows the count. */
    private void trim(int row, int[] own) {
        int sum = Arrays.stream(own).sum();
        int over = sum - problem.largestAllowed(row, sum);
        int from = over > 0 ? random.nextInt(own.length) : 0;
        for (int i = 0; over > 0; i++) {
            int column = (from + i) % own.length;
            int off = Math.min(over, own[column]);
            own[column] -= off;
            over -= off;
        }
    }
}
