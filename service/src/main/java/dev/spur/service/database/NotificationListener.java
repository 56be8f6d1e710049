package dev.spur.service.database;

/** Receives the notifications of a channel. All calls come from one thread and must return quickly. */
public interface NotificationListener {
    /** Returns the channel to listen on. */
    String channel();

    /** Handles a notification. An empty payload may stand for any change. */
    void onNotification(String payload);

    /**
     * Handles a new connection. Notifications sent in the meantime are lost, so the listener must read the rows again.
     */
    default void onReconnect() {
        onNotification("");
    }
}
