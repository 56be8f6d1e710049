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

    private record Known(long version, Hardware hardware) {}

    /** The version is read first: what is read after it is at least as new. */
    Hardware now() {
        long version = store.version();
        Known current = known;
        if (current == null || current.version() != version) {
            current = new Known(version, new Hardware(store.nodes(), store.tenants()));
            known = current;
        }
        return current.hardware();
    }
}
