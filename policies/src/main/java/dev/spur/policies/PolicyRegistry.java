package dev.spur.policies;

import dev.spur.policies.PolicyEntry.Provenance;
import dev.spur.policies.determined.FairShareScheduler;
import dev.spur.policies.determined.PriorityScheduler;
import dev.spur.policies.elastic.Afs;
import dev.spur.policies.elastic.BatchDp;
import dev.spur.policies.elastic.EtaGreedy;
import dev.spur.policies.elastic.EtaMip;
import dev.spur.policies.elastic.RoundRobin;
import dev.spur.policies.elasticflow.ElasticFlow;
import dev.spur.policies.gavel.FifoProgram;
import dev.spur.policies.gavel.Gavel;
import dev.spur.policies.gavel.GavelDefaults;
import dev.spur.policies.gavel.ShareObjective;
import dev.spur.policies.list.EasyBackfill;
import dev.spur.policies.list.Fifo;
import dev.spur.policies.list.Srtf;
import dev.spur.policies.lyra.Lyra;
import dev.spur.policies.monolithic.MonolithicSolver;
import dev.spur.policies.optimus.Optimus;
import dev.spur.policies.pollux.Pollux;
import dev.spur.policies.pollux.PolluxSettings;
import dev.spur.policies.pop.Pop;
import dev.spur.policies.shockwave.Shockwave;
import dev.spur.policies.shockwave.ShockwaveSettings;
import dev.spur.policies.sia.Sia;
import dev.spur.policies.sia.SiaSettings;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.synergy.Synergy;
import dev.spur.policies.themis.Themis;
import dev.spur.policies.tiresias.ElasticTiresias;
import dev.spur.policies.tiresias.Gittins;
import dev.spur.policies.tiresias.LeastAttainedService;
import dev.spur.policies.tiresias.Queues;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Registry of all policies, Spur's own included; policy names are unique. */
public final class PolicyRegistry {
    private static final Pattern POP = Pattern.compile("pop([1-9][0-9]{0,3})-(.+)");
    /** Ends the names of policies with the behavior of their authors' programs. */
    private static final String PROGRAM = "-program";

    private static final List<PolicyEntry> ALL = build();

    private PolicyRegistry() {}

    /** Returns all policies, Spur's own first, then by family. */
    public static List<PolicyEntry> all() {
        return ALL;
    }

    /**
     * Returns the policy {@code name}; empty if it does not exist. {@code popN-NAME}, such as {@code pop4-sia}, runs
     * the policy NAME on N partitions of the cluster (POP, SOSP '21).
     */
    public static Optional<Policy> policy(String name) {
        Matcher pop = POP.matcher(name);
        if (pop.matches()) {
            return policy(pop.group(2))
                    .map(whole -> new Pop(whole, Integer.parseInt(pop.group(1))))
                    .map(Policies::preparing);
        }
        return ALL.stream()
                .map(PolicyEntry::policy)
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .map(Policies::preparing);
    }

    private static List<PolicyEntry> build() {
        List<PolicyEntry> entries = new ArrayList<>();
        addOwn(entries);
        addLists(entries);
        addTiresias(entries);
        addElastic(entries);
        addVoda(entries);
        addGoodput(entries);
        addFairnessAndDeadlines(entries);
        addSynergy(entries);
        return List.copyOf(entries);
    }

    private static void addOwn(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                Policies.spur(),
                "Lagrangian decomposition, then integer programs over the jobs that reduced costs leave open.",
                "Spur",
                Provenance.OWN));
        entries.add(new PolicyEntry(
                MonolithicSolver.cpSat(),
                "The same integer program, solved by CP-SAT as a whole.",
                "Spur",
                Provenance.OWN));
        entries.add(new PolicyEntry(
                MonolithicSolver.highs(),
                "The same integer program, solved by HiGHS as a whole.",
                "Spur",
                Provenance.OWN));
        entries.add(new PolicyEntry(
                Policies.greedy(),
                "Heuristic without a solver: pending jobs by utility per slot, where they fit.",
                "Spur",
                Provenance.OWN));
    }

    private static void addLists(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                new Fifo("fifo", false),
                "FIFO with the requested slots; stops at the first job that does not fit.",
                "common baseline",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Fifo("fifo-backfill", true),
                "FIFO with the requested slots; skips jobs that do not fit.",
                "common baseline",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new EasyBackfill(),
                "FIFO with the requested slots; a later job starts if it does not delay the first one that waits.",
                "Lifka, JSSPP 1995",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Srtf(),
                "Shortest remaining time first on the requested slots, with preemption.",
                "common baseline",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new PriorityScheduler(),
                "By priority, then arrival; preempts lower priorities and backfills with them.",
                "Determined 0.38",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new FairShareScheduler(),
                "Weighted max-min fair offers of slots to tenants, with fixed gangs.",
                "Determined 0.38",
                Provenance.CERTAIN));
    }

    private static void addTiresias(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                new LeastAttainedService("2d-las", Queues.DEFAULT),
                "Queues by attained service; within a queue by first start.",
                "Tiresias, NSDI '19",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new LeastAttainedService("2d-las-short", Queues.SHORT),
                "`2d-las` with three queues, for traces of hours.",
                "Tiresias, NSDI '19",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Gittins("2d-gittins", Queues.DEFAULT, null),
                "Queues by attained service; within a queue by Gittins index.",
                "Tiresias, NSDI '19",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Gittins("2d-gittins-short", Queues.SHORT, null),
                "`2d-gittins` with three queues, for traces of hours.",
                "Tiresias, NSDI '19",
                Provenance.CERTAIN));
    }

    private static void addElastic(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                new EtaGreedy("eta-greedy", false),
                "Minimum slots by arrival; then the job with the longest remaining time grows.",
                "Hu et al., arXiv 2109.03389",
                Provenance.RECONSTRUCTION));
        entries.add(new PolicyEntry(
                new EtaMip("eta-mip", EtaMip.Form.PROGRESS),
                "One integer program over the progress of all jobs until a horizon.",
                "Hu et al., arXiv 2109.03389",
                Provenance.RECONSTRUCTION));
        entries.add(new PolicyEntry(
                new EtaMip("eta-mip-remaining", EtaMip.Form.REMAINING),
                "The same, with progress relative to the remaining work.",
                "Hu et al., arXiv 2109.03389",
                Provenance.RECONSTRUCTION));
        entries.add(new PolicyEntry(
                new EtaMip("eta-mip-rate", EtaMip.Form.RATE),
                "The same, with progress per second until the end of the job or the horizon.",
                "after Hu et al.",
                Provenance.OWN));
        entries.add(new PolicyEntry(
                new BatchDp("elastic-batch", BatchRule.BEST, false),
                "Slots and batch sizes by dynamic programming over relative throughput; jobs may wait.",
                "Saxena et al., arXiv 2006.13878",
                Provenance.FROM_ANOTHER_IMPLEMENTATION));
        entries.add(new PolicyEntry(
                new BatchDp("elastic-batch-cut", BatchRule.BEST, true),
                "The same over the first jobs by arrival whose minimum slots fit: each runs.",
                "Saxena et al., arXiv 2006.13878",
                Provenance.FROM_ANOTHER_IMPLEMENTATION));
        entries.add(new PolicyEntry(
                new BatchDp("elastic-fixed-batch", BatchRule.FIXED, false),
                "`elastic-batch` with the users' batch sizes: the paper's baseline.",
                "Saxena et al., arXiv 2006.13878",
                Provenance.RECONSTRUCTION));
    }

    private static void addVoda(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                new RoundRobin("elastic-fifo", RoundRobin.Order.ARRIVAL),
                "Minimum slots by arrival, then one step more for each in turn.",
                "Voda's scheduler",
                Provenance.FROM_ANOTHER_IMPLEMENTATION));
        entries.add(new PolicyEntry(
                new RoundRobin("elastic-srjf", RoundRobin.Order.SHORTEST),
                "Minimum slots by remaining time, then one step more for each in turn.",
                "Voda's scheduler",
                Provenance.FROM_ANOTHER_IMPLEMENTATION));
        entries.add(new PolicyEntry(
                new ElasticTiresias("elastic-tiresias", new Queues(List.of(3600.0), 8, false)),
                "Order of Tiresias; then further slots go to the highest gain of goodput.",
                "Wu et al., TPDS 2021",
                Provenance.FROM_ANOTHER_IMPLEMENTATION));
        entries.add(new PolicyEntry(
                new Afs(),
                "Slots one by one, weighing the duration of a job against its scaling.",
                "AFS, NSDI '21",
                Provenance.FROM_ANOTHER_IMPLEMENTATION));
    }

    private static void addGoodput(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                new Sia("sia", SiaSettings.DEFAULT),
                "One integer program over a power of normalized goodput, with types and restart costs.",
                "Sia, SOSP '23",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Sia("sia" + PROGRAM, SiaSettings.PROGRAM),
                "`sia` with the behavior of its authors' program.",
                "Sia's simulator",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Pollux("pollux", PolluxSettings.DEFAULT),
                "Genetic search for the power mean of goodput over slots on each node.",
                "Pollux, OSDI '21",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Optimus(),
                "Slots and aggregation slots by the time that one more step saves.",
                "Optimus, EuroSys '18",
                Provenance.CERTAIN));
        addGavel(entries);
    }

    private static void addGavel(List<PolicyEntry> entries) {
        entries.add(gavel(
                "gavel-max-min",
                ShareObjective.MAX_MIN,
                "Time shares on types that maximize the minimum weighted throughput."));
        entries.add(gavel(
                "gavel-finish-time-fairness",
                ShareObjective.FINISH_TIME_FAIRNESS,
                "Time shares on types that minimize the worst finish-time fairness."));
        entries.add(
                gavel("gavel-makespan", ShareObjective.MAKESPAN, "Time shares on types that minimize the makespan."));
        entries.add(gavel(
                "gavel-throughput",
                ShareObjective.TOTAL_THROUGHPUT,
                "Time shares on types that maximize the total throughput."));
        for (ShareObjective objective : ShareObjective.values()) {
            String name = "gavel-" + objective.label();
            entries.add(new PolicyEntry(
                    new Gavel(name + PROGRAM, objective, GavelDefaults.PROGRAM),
                    "`%s` with the behavior of its authors' program.".formatted(name),
                    "Gavel's simulator",
                    Provenance.CERTAIN));
        }
        entries.add(new PolicyEntry(
                new Gavel("gavel-max-min-blind" + PROGRAM, ShareObjective.MAX_MIN, GavelDefaults.BLIND_PROGRAM),
                "`gavel-max-min-program` with equal throughput on all types.",
                "Gavel's simulator",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new FifoProgram(1),
                "FIFO; each job is pinned to the last free type by name, and jobs of one type take turns.",
                "Gavel's simulator",
                Provenance.CERTAIN));
    }

    private static void addFairnessAndDeadlines(List<PolicyEntry> entries) {
        entries.add(new PolicyEntry(
                new Themis("themis", 0.8),
                "Leases of slots to the jobs with the worst finish-time fairness.",
                "Themis, NSDI '20",
                Provenance.RECONSTRUCTION));
        entries.add(new PolicyEntry(
                new ElasticFlow("elasticflow", 60, false),
                "Admits deadlines that can be met; minimum shares, and surplus where it costs least.",
                "ElasticFlow, ASPLOS '23",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new ElasticFlow("elasticflow" + PROGRAM, 60, true),
                "`elasticflow`, but admits all new jobs of a round or none.",
                "ElasticFlow's simulator",
                Provenance.CERTAIN));
        entries.add(new PolicyEntry(
                new Lyra(),
                "Minimum slots to the shortest jobs, extra slots by a knapsack over time saved.",
                "Lyra, EuroSys '23",
                Provenance.RECONSTRUCTION));
        entries.add(new PolicyEntry(
                new Shockwave("shockwave", ShockwaveSettings.DEFAULT),
                "A window of rounds by the logarithms of progress and the longest remaining time.",
                "Shockwave, NSDI '23",
                Provenance.RECONSTRUCTION));
        entries.add(new PolicyEntry(
                new Shockwave("shockwave" + PROGRAM, ShockwaveSettings.PROGRAM),
                "`shockwave` with the weights and the lateness of its authors' program.",
                "Shockwave's simulator",
                Provenance.RECONSTRUCTION));
    }

    private static void addSynergy(List<PolicyEntry> entries) {
        for (Synergy.Order order : Synergy.Order.values()) {
            for (Synergy.Shares shares : Synergy.Shares.values()) {
                Synergy policy = new Synergy(order, shares);
                entries.add(new PolicyEntry(policy, policy.idea(), "Synergy, OSDI '22", Provenance.CERTAIN));
            }
        }
    }

    private static PolicyEntry gavel(String name, ShareObjective objective, String idea) {
        return new PolicyEntry(
                new Gavel(name, objective, GavelDefaults.DEFAULT), idea, "Gavel, OSDI '20", Provenance.CERTAIN);
    }
}
