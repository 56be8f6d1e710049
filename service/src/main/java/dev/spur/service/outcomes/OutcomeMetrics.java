package dev.spur.service.outcomes;

import dev.spur.service.outcomes.HistoryRecorder.OutcomeProperties;
import dev.spur.service.outcomes.OutcomeReport.SlotUtilization;
import dev.spur.service.outcomes.OutcomeReport.Spread;
import dev.spur.service.outcomes.OutcomeReport.TenantOutcome;
import dev.spur.service.security.AccessScope;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/** Metrics of the outcomes of the last 24 hours, which are the same on every replica. */
@Component
class OutcomeMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeMetrics.class);
    /** Number of tenants with values of their own, those with the most slot-hours. Each is a time series. */
    private static final int MAX_TENANTS = 50;

    private final OutcomeReader reader;
    private final OutcomeProperties properties;
    private final TaskScheduler scheduler;
    private final MeterRegistry registry;
    private final MultiGauge slotHours;
    private final MultiGauge held;
    private final MultiGauge useful;
    private final MultiGauge gpus;
    private volatile @Nullable OutcomeReport report;

    OutcomeMetrics(
            OutcomeReader reader, OutcomeProperties properties, TaskScheduler scheduler, MeterRegistry registry) {
        this.reader = reader;
        this.properties = properties;
        this.scheduler = scheduler;
        this.registry = registry;
        this.slotHours = MultiGauge.builder("spur.outcomes.slot.hours")
                .description("Slot-hours held in the last 24 hours, by tenant")
                .register(registry);
        this.held = MultiGauge.builder("spur.outcomes.utilization.held")
                .description("Fraction of the slots that jobs held in the last 24 hours, by accelerator type")
                .register(registry);
        this.useful = MultiGauge.builder("spur.outcomes.utilization.useful")
                .description("Fraction of the slots on which jobs trained in the last 24 hours, by accelerator type")
                .register(registry);
        this.gpus = MultiGauge.builder("spur.outcomes.utilization.gpu")
                .description("Mean utilization of the GPUs that jobs held in the last 24 hours, by accelerator type")
                .register(registry);
        slotHours.register(List.of(MultiGauge.Row.of(Tags.of("tenant", ""), 0)));
        held.register(byType(List.of(), SlotUtilization::heldUtilization));
        useful.register(byType(List.of(), SlotUtilization::usefulUtilization));
        gpus.register(byType(List.of(), SlotUtilization::gpuUtilization));
        registerGauges();
    }

    private void registerGauges() {
        for (Map.Entry<String, ToDoubleFunction<OutcomeReport.JobCounts>> state :
                Map.<String, ToDoubleFunction<OutcomeReport.JobCounts>>of(
                                "submitted", OutcomeReport.JobCounts::submitted,
                                "done", OutcomeReport.JobCounts::done,
                                "failed", OutcomeReport.JobCounts::failed,
                                "canceled", OutcomeReport.JobCounts::canceled)
                        .entrySet()) {
            Gauge.builder("spur.outcomes.jobs", () -> of(row -> state.getValue().applyAsDouble(row.jobs())))
                    .description("Jobs that were submitted or ended in the last 24 hours")
                    .tag("state", state.getKey())
                    .register(registry);
        }
        spread("queueing.delay.seconds", "Time from submission to first start", TenantOutcome::queueingDelaySeconds);
        spread("jct.seconds", "Job completion time", TenantOutcome::jctSeconds);
        spread("slowdown", "Job completion time relative to the fastest configuration", TenantOutcome::slowdown);
        spread("restart.stall.seconds", "Time from a restart to progress", TenantOutcome::restartStallSeconds);
        gauge(
                "training.efficiency",
                "Goodput per slot relative to the highest one",
                row -> orNaN(row.trainingEfficiency()));
        gauge("restarts", "Restarts in the last 24 hours", TenantOutcome::restarts);
        gauge("cost", "Cost of the held slots in the last 24 hours", TenantOutcome::cost);
        gauge(
                "deadlines.met",
                "Deadlines met in the last 24 hours",
                row -> row.deadlines().met());
        gauge(
                "deadlines.missed",
                "Deadlines missed in the last 24 hours",
                row -> row.deadlines().missed());
    }

    private void spread(String name, String description, Function<TenantOutcome, Spread> value) {
        Map<String, Function<Spread, @Nullable Double>> quantiles =
                Map.of("0.5", Spread::p50, "0.9", Spread::p90, "0.99", Spread::p99);
        quantiles.forEach((quantile, of) -> Gauge.builder(
                        "spur.outcomes." + name, () -> of(row -> orNaN(of.apply(value.apply(row)))))
                .description(description + ", in the last 24 hours")
                .tag("quantile", quantile)
                .register(registry));
    }

    private void gauge(String name, String description, ToDoubleFunction<TenantOutcome> value) {
        Gauge.builder("spur.outcomes." + name, () -> of(value))
                .description(description)
                .register(registry);
    }

    private double of(ToDoubleFunction<TenantOutcome> value) {
        OutcomeReport known = report;
        return known == null ? Double.NaN : value.applyAsDouble(known.total());
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // an update logs its own exceptions
    @EventListener(ApplicationStartedEvent.class)
    void start() {
        if (!properties.metricsInterval().isZero()) {
            scheduler.scheduleWithFixedDelay(this::update, properties.metricsInterval());
        }
    }

    /** Updates all values. */
    void update() {
        try {
            OutcomeReport newest = reader.read(AccessScope.ALL, TimeRange.of(Optional.empty(), Optional.empty()));
            report = newest;
            slotHours.register(byTenant(newest.tenants()), true);
            held.register(byType(newest.slots(), SlotUtilization::heldUtilization), true);
            useful.register(byType(newest.slots(), SlotUtilization::usefulUtilization), true);
            gpus.register(byType(newest.slots(), SlotUtilization::gpuUtilization), true);
        } catch (DataAccessException failure) {
            LOG.warn("cannot read outcomes for metrics, next attempt follows: {}", failure.getMessage());
        }
    }

    /** Returns a row for each of the largest tenants, and one with an empty name for the others. */
    private static List<MultiGauge.Row<?>> byTenant(List<TenantOutcome> tenants) {
        List<TenantOutcome> sorted = tenants.stream()
                .sorted(Comparator.comparingDouble(TenantOutcome::heldSlotHours)
                        .reversed()
                        .thenComparing(row -> String.valueOf(row.tenant())))
                .toList();
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        sorted.stream()
                .limit(MAX_TENANTS)
                .forEach(row -> rows.add(
                        MultiGauge.Row.of(Tags.of("tenant", String.valueOf(row.tenant())), row.heldSlotHours())));
        double rest = sorted.stream()
                .skip(MAX_TENANTS)
                .mapToDouble(TenantOutcome::heldSlotHours)
                .sum();
        rows.add(MultiGauge.Row.of(Tags.of("tenant", ""), rest));
        return rows;
    }

    /** Returns a row for each type. Without types it is one without a value, so that the metric exists. */
    private static List<MultiGauge.Row<?>> byType(
            List<SlotUtilization> types, Function<SlotUtilization, @Nullable Double> value) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        types.forEach(
                type -> rows.add(MultiGauge.Row.of(Tags.of("type", type.acceleratorType()), orNaN(value.apply(type)))));
        if (rows.isEmpty()) {
            rows.add(MultiGauge.Row.of(Tags.of("type", ""), Double.NaN));
        }
        return rows;
    }
}
