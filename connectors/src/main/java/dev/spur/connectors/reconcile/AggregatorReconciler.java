package dev.spur.connectors.reconcile;

import dev.spur.connectors.AggregatorHost;
import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.PlatformAggregator;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.reconcile.AggregatorLedger.Line;
import dev.spur.connectors.reconcile.AggregatorLedger.Place;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reconciles the aggregators of a platform with the plan. Each request is recorded in the ledger first, and each
 * process carries the mark of its line. No process is therefore lost after a crash. If two processes have one mark, the
 * younger one is stopped.
 */
public final class AggregatorReconciler {
    /** An aggregator that ends within this time counts as failed. */
    private static final Duration QUICK = Duration.ofMinutes(1);

    /** Number of consecutive failures after which the aggregator gets another port. */
    private static final int MANY = 3;

    private static final int MAX_DOUBLINGS = 5;

    private final AggregatorHost host;
    private final AggregatorLedger ledger;
    private final ActionLog log;
    private final CircuitBreaker circuitBreaker;
    private final Clock clock;

    public AggregatorReconciler(
            AggregatorHost host, AggregatorLedger ledger, ActionLog log, Limits limits, Clock clock) {
        this.host = host;
        this.ledger = ledger;
        this.log = log;
        this.circuitBreaker = new CircuitBreaker(log, limits);
        this.clock = clock;
    }

    /**
     * Result of a sync.
     *
     * @param failures messages of failed verifications
     * @param repeatedlyFailing aggregators that end repeatedly; another process may use their port
     */
    public record ReconcileResult(List<String> failures, List<DesiredAggregator> repeatedlyFailing) {
        public ReconcileResult {
            failures = List.copyOf(failures);
            repeatedlyFailing = List.copyOf(repeatedlyFailing);
        }
    }

    /**
     * Observes the aggregators, starts the missing ones and stops those that are no longer required.
     *
     * @throws IOException if the platform does not respond
     */
    public ReconcileResult reconcile(List<DesiredAggregator> desired) throws IOException, InterruptedException {
        List<Line> lines = ledger.lines();
        if ((lines.isEmpty() && desired.isEmpty()) || !mayChange()) {
            return new ReconcileResult(List.of(), List.of());
        }
        Map<String, List<PlatformAggregator>> shown = observeAggregators();
        Set<DesiredAggregator> missing = new HashSet<>(desired);
        List<String> failures = new ArrayList<>();
        List<DesiredAggregator> repeatedlyFailing = new ArrayList<>();
        for (Line line : lines) {
            List<PlatformAggregator> all = shown.getOrDefault(line.mark(), List.of());
            List<PlatformAggregator> there =
                    all.stream().filter(one -> !one.ended()).toList();
            if (!line.closing() && missing.remove(line.want())) {
                Line now = there.isEmpty() ? handleMissing(line, !all.isEmpty(), failures) : follow(line, there);
                if (now.failures() >= MANY) {
                    repeatedlyFailing.add(now.want());
                }
            } else {
                end(line, there, failures);
            }
        }
        for (DesiredAggregator want : desired) {
            if (missing.remove(want)) {
                request(ledger.add(want), failures);
            }
        }
        return new ReconcileResult(failures, repeatedlyFailing);
    }

    private boolean mayChange() {
        return log.status().controlLevel().includes(ControlLevel.ADMIT);
    }

    private Map<String, List<PlatformAggregator>> observeAggregators() throws IOException, InterruptedException {
        Map<String, List<PlatformAggregator>> shown = new HashMap<>();
        host.aggregators().stream()
                .sorted(Comparator.comparing(PlatformAggregator::startedAt).thenComparing(PlatformAggregator::id))
                .forEach(one -> shown.computeIfAbsent(one.mark(), mark -> new ArrayList<>())
                        .add(one));
        return shown;
    }

    private Line follow(Line line, List<PlatformAggregator> there) throws InterruptedException {
        for (PlatformAggregator duplicate : there.subList(1, there.size())) {
            host.close(duplicate);
        }
        PlatformAggregator first = there.get(0);
        if (first.host().isEmpty()) {
            return line;
        }
        Instant now = clock.instant();
        Place before = line.place().orElse(null);
        if (before == null || !before.isAt(first.host().get(), first.port())) {
            Line seen =
                    line.withPlace(new Place(first.host().get(), first.port(), now), line.failures(), first.state());
            ledger.write(seen);
            circuitBreaker.recordSuccess();
            return seen;
        }
        if (line.failures() > 0 && !now.isBefore(before.since().plus(QUICK))) {
            Line steady = line.withPlace(before, 0, first.state());
            ledger.write(steady);
            return steady;
        }
        return line;
    }

    /**
     * Handles a required aggregator that does not run: not requested yet, pending, failed to start, or ended.
     *
     * @param hasEnded true if the platform reports it as ended
     */
    private Line handleMissing(Line line, boolean hasEnded, List<String> failures) throws InterruptedException {
        Instant now = clock.instant();
        if (line.place().isPresent()) {
            boolean quick = now.isBefore(line.place().get().since().plus(QUICK));
            int failed = quick ? line.failures() + 1 : 0;
            Line ended = line.withRequest(quick ? now.plus(pause(failed)) : now, failed, "it ended without a request");
            ledger.write(ended);
            return quick ? ended : request(ended, failures);
        }
        if (line.isPending(now)) {
            return line;
        }
        if (line.accepted()) {
            String why = "aggregator %s was requested but does not exist"
                    .formatted(line.want().name());
            if (!hasEnded) {
                failures.add(why);
                circuitBreaker.recordFailure(why);
            }
            return request(line.withRequest(now, line.failures() + 1, why), failures);
        }
        return request(line, failures);
    }

    private Line request(Line line, List<String> failures) throws InterruptedException {
        if (!mayChange()) {
            // the circuit breaker opened in this sync
            return line;
        }
        Line requested =
                line.withRequest(clock.instant().plus(pause(line.failures())), line.failures(), "start requested");
        ledger.write(requested);
        StepOutcome outcome = host.open(requested.want(), requested.mark(), requested.key());
        if (outcome instanceof StepOutcome.NoResponse) {
            return requested;
        }
        if (outcome instanceof StepOutcome.Accepted) {
            Line accepted = requested.accept(outcome.detail());
            ledger.write(accepted);
            return accepted;
        }
        Line failed = requested.withRequest(
                clock.instant().plus(pause(line.failures() + 1)), line.failures() + 1, outcome.detail());
        ledger.write(failed);
        if (outcome instanceof StepOutcome.Unchanged) {
            failures.add(outcome.detail());
            circuitBreaker.recordFailure(outcome.detail());
        }
        return failed;
    }

    private Duration pause(int failed) {
        return host.timeout().multipliedBy(1L << Math.min(MAX_DOUBLINGS, failed));
    }

    private void end(Line line, List<PlatformAggregator> there, List<String> failures) throws InterruptedException {
        Instant now = clock.instant();
        Line ending = line;
        if (!line.closing()) {
            // the last request may still take effect
            Instant until = line.requestDeadline() == null ? now : line.requestDeadline();
            Instant min = now.plus(host.timeout());
            ending = line.ending().withRequest(until.isAfter(min) ? until : min, 0, "stop requested");
            ledger.write(ending);
        } else if (!there.isEmpty() && !line.isPending(now)) {
            String why = "aggregator %s was stopped but still exists"
                    .formatted(line.want().name());
            failures.add(why);
            circuitBreaker.recordFailure(why);
            ending = line.withRequest(now.plus(host.timeout()), line.failures() + 1, why);
            ledger.write(ending);
        }
        if (there.isEmpty() && !ending.isPending(now)) {
            ledger.delete(ending);
        }
        if (mayChange()) {
            for (PlatformAggregator one : there) {
                host.close(one);
            }
        }
    }
}
