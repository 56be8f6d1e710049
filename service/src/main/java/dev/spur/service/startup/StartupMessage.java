package dev.spur.service.startup;

import java.util.List;

/** Message that the service prints at startup before it reports that it is ready. */
public interface StartupMessage {
    /** Returns the lines in order. Each line is returned only once. */
    List<String> lines();

    /** Returns whether a line may contain a secret, which must not be in a log. */
    default boolean isSecret() {
        return true;
    }
}
