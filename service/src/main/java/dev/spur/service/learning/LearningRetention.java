package dev.spur.service.learning;

import dev.spur.service.background.Forgetful;
import dev.spur.service.store.LearningStore;
import dev.spur.service.store.LossStore;
import dev.spur.service.store.ProfilingStore;
import org.springframework.stereotype.Component;

/** Forgets what jobs taught that ended long ago; their families keep it. */
@Component
class LearningRetention implements Forgetful {
    private final LearningStore learning;
    private final LossStore losses;
    private final ProfilingStore profiling;

    LearningRetention(LearningStore learning, LossStore losses, ProfilingStore profiling) {
        this.learning = learning;
        this.losses = losses;
        this.profiling = profiling;
    }

    @Override
    public String what() {
        return "lessons of ended jobs";
    }

    @Override
    public void forget() {
        learning.forget();
        losses.forget();
        profiling.forget();
    }
}
