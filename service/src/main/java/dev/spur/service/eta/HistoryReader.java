package dev.spur.service.eta;

import dev.spur.model.utility.Goodput;
import dev.spur.simulator.eta.BiasCorrection;
import dev.spur.simulator.eta.ForecastHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Reads the history for predictions: ratios of actual to stated runtime, and arrivals. */
@Component
class HistoryReader {
    /**
     * Maximum number of jobs for runtime ratios, and of template jobs for arrivals. Parsing their profiles dominates
     * the time of reading.
     */
    private static final int MOST_JOBS = 60;

    private final PastJobs jobs;

    HistoryReader(PastJobs jobs) {
        this.jobs = jobs;
    }

    /**
     * Reads the history.
     *
     * @param drift bias correction from earlier predictions
     */
    ForecastHistory read(double pastSeconds, BiasCorrection drift) {
        PastJobs.Arrivals arrivals = jobs.arrivals(pastSeconds);
        List<ForecastHistory.Arrival> comers = jobs.comers(arrivals.seconds(), MOST_JOBS).stream()
                .map(comer -> new ForecastHistory.Arrival(comer.tenant(), comer.spec()))
                .toList();
        return new ForecastHistory(
                stretches(jobs.stays(MOST_JOBS)), arrivals.seconds(), arrivals.byHour(), comers, drift);
    }

    /** Work that each job would have done at its stated speed in its actual runtime, divided by its stated work. */
    static List<Double> stretches(List<PastJobs.Stay> stays) {
        Map<String, Double> stretches = new LinkedHashMap<>();
        for (PastJobs.Stay stay : stays) {
            double starting = stay.startsAgain() ? stay.spec().restartPenaltySeconds() : 0;
            double samples = Math.max(0, stay.seconds() - starting)
                    * Goodput.of(stay.spec(), stay.allocation().configuration());
            stretches.merge(stay.jobId(), samples / stay.totalSamples(), Double::sum);
        }
        return stretches.values().stream().filter(stretch -> stretch > 0).toList();
    }
}
