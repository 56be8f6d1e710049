package dev.spur.service.retention;

import java.util.concurrent.ThreadFactory;

/** Factory of daemon threads, which do not keep the process alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Returns a factory of threads with one name, which identifies them in a thread dump. */
    public static ThreadFactory named(String name) {
        return task -> thread(name, task);
    }

    /** Returns a thread that has not been started. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
