package dev.spur.service.round;

import dev.spur.model.tenant.FairShareSettings;
import dev.spur.service.settings.SettingsStore;
import dev.spur.service.usage.PastUsageStore;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Updates the past usage of tenants to the current time, if fair share uses it. */
@Component
class UsageDecay {
    private final SettingsStore settings;
    private final PastUsageStore usage;
    private final TransactionTemplate transaction;

    UsageDecay(SettingsStore settings, PastUsageStore usage, PlatformTransactionManager transactions) {
        this.settings = settings;
        this.usage = usage;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** Called before a round reads the state. */
    void beforeRound() {
        FairShareSettings fairShare = settings.current().value().planning().fairShare();
        Double halfLife = fairShare.halfLifeSeconds();
        if (halfLife != null) {
            transaction.executeWithoutResult(status -> usage.advance(halfLife));
        }
    }
}
