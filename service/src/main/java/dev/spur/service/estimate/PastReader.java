package dev.spur.service.estimate;

import dev.spur.model.worth.Goodput;
import dev.spur.service.store.PastJobs;
import dev.spur.simulator.forecast.Drift;
import dev.spur.simulator.forecast.Past;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Reads what there is to learn from: how long jobs ran beside what they stated, and how many come. */
@Component
class PastReader {
    /** Jobs that lengths are learnt from, and jobs that comers are drawn from: their profiles make up most of the reading. */
    private static final int MOST_JOBS = 60;

    private final PastJobs jobs;

    PastReader(PastJobs jobs) {
        this.jobs = jobs;
    }

    /** @param drift what is learnt from earlier estimates */
    Past read(double pastSeconds, Drift drift) {
        PastJobs.Arrivals arrivals = jobs.arrivals(pastSeconds);
        List<Past.Comer> comers = jobs.comers(arrivals.seconds(), MOST_JOBS).stream()
                .map(comer -> new Past.Comer(comer.tenant(), comer.spec()))
                .toList();
        return new Past(stretches(jobs.stays(MOST_JOBS)), arrivals.seconds(), arrivals.byHour(), comers, drift);
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
