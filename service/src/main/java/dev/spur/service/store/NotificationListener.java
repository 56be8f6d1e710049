package dev.spur.service.store;

/** Hears what replicas tell each other through the database. Calls come from one thread and must be quick. */
public interface NotificationListener {
    /** The channel to hear. */
    String channel();

    /** Something was told on the channel. */
    void heard(String payload);

    /** There is a connection again; what was told meanwhile is lost, so that the rows should be read. */
    void reconnected();
}
