package dev.spur.service.operations;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.StepTime;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.rounds.RoundObserver;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.rounds.RoundProperties;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Metrics of the rounds on this replica. A replica that does not plan exports no metrics or old values. */
@Component
class RoundMetrics implements RoundObserver {
    /** Unit of recorded gaps: percentiles of values over more orders of magnitude need too much memory. */
    private static final double GAP_UNIT = 1e-6;

    private final MeterRegistry registry;
    /**
     * Free slots by accelerator type. A gauge is kept for each type ever seen, because replacing gauges would export
     * some twice for a moment.
     */
    private volatile Map<String, Integer> freeSlots = Map.of();

    private final Set<String> typesShown = ConcurrentHashMap.newKeySet();
    private volatile double gap = Double.NaN;
    private volatile double improvement = Double.NaN;
    private volatile long endedAt;

    private final double gapLimit;
    private final DistributionSummary gaps;
    private final Counter wideGaps;

    RoundMetrics(MeterRegistry registry, RoundProperties properties) {
        this.registry = registry;
        this.gapLimit = properties.gapLimit();
        this.gaps = DistributionSummary.builder("spur.round.gaps")
                .description("Optimality gaps of the rounds of the last hour")
                .publishPercentiles(0.5, 0.99)
                .percentilePrecision(2)
                .distributionStatisticExpiry(Duration.ofHours(1))
                .register(registry);
        this.wideGaps = Counter.builder("spur.round.gaps.wide")
                .description("Rounds with an optimality gap above spur.rounds.gap-limit")
                .register(registry);
        for (RoundStatus status : RoundStatus.values()) {
            if (status != RoundStatus.REQUESTED && status != RoundStatus.RUNNING) {
                countOf(status);
            }
        }
        registry.counter("spur.plan.validation.failures");
        gauge("spur.round.gap", "Optimality gap of the last round's plan", () -> gap);
        gauge(
                "spur.round.improvement",
                "Share of the possible improvement that the last round reached",
                () -> improvement);
        gauge("spur.round.age.seconds", "Time since the last round on this replica ended", this::age);
    }

    @Override
    public void onEnd(RoundReport report) {
        endedAt = System.nanoTime();
        countOf(report.outcome().status()).increment();
        String error = report.outcome().error();
        if (error != null && error.startsWith("the plan validator rejected")) {
            registry.counter("spur.plan.validation.failures").increment();
        }
        for (StepTime step : report.outcome().steps()) {
            time("spur.round.step", step);
        }
        RoundPlan plan = report.outcome().plan();
        StateSnapshot snapshot = report.snapshot();
        if (plan != null) {
            plan.stats().steps().forEach(step -> time("spur.solve.step", step));
            record(plan.quality());
        }
        if (plan != null && snapshot != null) {
            freeSlots = free(snapshot, plan);
            freeSlots.keySet().forEach(this::showType);
        }
    }

    private void record(SolutionQuality quality) {
        gap = quality.gap();
        improvement = quality.improvement();
        gaps.record(Math.rint(gap / GAP_UNIT) * GAP_UNIT);
        if (gap > gapLimit) {
            wideGaps.increment();
        }
    }

    private void showType(String type) {
        if (typesShown.add(type)) {
            Gauge.builder("spur.slots.free", () -> freeSlots.get(type))
                    .tag("type", type)
                    .description("Slots on active nodes that no job holds by the last plan, by accelerator type")
                    .register(registry);
        }
    }

    private static Map<String, Integer> free(StateSnapshot snapshot, RoundPlan plan) {
        Map<String, Integer> free = new TreeMap<>();
        Map<String, Node> nodes = new TreeMap<>();
        for (Node node : snapshot.problem().nodes()) {
            if (node.acceleratorType() != null && node.state() == NodeState.ACTIVE) {
                nodes.put(node.id(), node);
                free.merge(node.acceleratorType(), node.slots(), Integer::sum);
            }
        }
        Map<String, Set<String>> held = new HashMap<>();
        for (PlannedJob planned : plan.running()) {
            planned.allocation().placement().stream()
                    .filter(piece -> nodes.containsKey(piece.node()))
                    .forEach(piece -> held.computeIfAbsent(piece.node(), node -> new HashSet<>())
                            .addAll(piece.devices()));
        }
        held.forEach((node, devices) -> free.merge(
                Objects.requireNonNull(Objects.requireNonNull(nodes.get(node)).acceleratorType()),
                -devices.size(),
                Integer::sum));
        return free;
    }

    private Counter countOf(RoundStatus status) {
        return registry.counter("spur.rounds", "status", status.name().toLowerCase(Locale.ROOT));
    }

    private void time(String name, StepTime step) {
        registry.timer(name, "step", step.step()).record((long) (step.milliseconds() * 1e6), TimeUnit.NANOSECONDS);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private double age() {
        return endedAt == 0 ? Double.NaN : (System.nanoTime() - endedAt) / 1e9;
    }
}
