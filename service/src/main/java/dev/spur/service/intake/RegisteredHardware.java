package dev.spur.service.intake;

import dev.spur.service.store.HardwareStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The hardware that is registered now, read again only when the database says that it has changed. */
@Component
class RegisteredHardware {
    private final HardwareStore store;
    private volatile @Nullable Known known;

    RegisteredHardware(HardwareStore store) {
        this.store = store;
    }

    /**
     * What was registered at a time.
     *
     * @param version the number that tells whether it has changed since
     * @param hardware what was registered
     */
    record Known(long version, Hardware hardware) {}

    /** As it was when somebody last asked the database: for those who have the version compared later. */
    Known last() {
        Known current = known;
        return current == null ? now() : current;
    }

    /** As it is. The version is read first: what is read after it is at least as new. */
    Known now() {
        long version = store.version();
        Known current = known;
        if (current == null || current.version() != version) {
            current = new Known(version, new Hardware(store.types(), store.nodes(), store.tenants(), store.groups()));
            known = current;
        }
        return current;
    }
}
