package dev.spur.service.eta;

import dev.spur.model.utility.Goodput;
import dev.spur.service.store.PastJobs;
import dev.spur.simulator.eta.BiasCorrection;
import dev.spur.simulator.eta.ForecastHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Reads what there is to learn from: how long jobs ran beside what they stated, and how many come. */
@Component
class HistoryReader {
    /**
     * Jobs that lengths are learnt from, and jobs that comers are drawn from: their profiles make up most of the
     * reading.
     */
    private static final int MOST_JOBS = 60;

    private final PastJobs jobs;

    HistoryReader(PastJobs jobs) {
        this.jobs = jobs;
    }

    /** @param drift what is learnt from earlier estimates */
    ForecastHistory read(double pastSeconds, BiasCorrection drift) {
        PastJobs.Arrivals arrivals = jobs.arrivals(pastSeconds);
        List<ForecastHistory.Arrival> comers = jobs.comers(arrivals.seconds(), MOST_JOBS).stream()
                .map(comer -> new ForecastHistory.Arrival(comer.tenant(), comer.spec()))
                .toList();
        return new ForecastHistory(
                stretches(jobs.stays(MOST_JOBS)), arrivals.seconds(), arrivals.byHour(), comers, drift);
    }

    /** By job: what it would have done as stated in the time that it had, over what it stated. */
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
