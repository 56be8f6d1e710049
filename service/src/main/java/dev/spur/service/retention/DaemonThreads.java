package dev.spur.service.retention;

import java.util.concurrent.ThreadFactory;

/** Threads that never keep the program from ending. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Threads of one name, for whoever reads a thread dump. */
    public static ThreadFactory named(String name) {
        return task -> thread(name, task);
    }

    /** A thread that has not begun. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
