package dev.spur.service.database;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;

/** Factory of daemon threads, which do not keep the process alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Returns a factory of threads with one name, which identifies them in a thread dump. */
    public static ThreadFactory withName(String name) {
        return task -> thread(name, task);
    }

    /** Returns a scheduler that ignores tasks after its shutdown. */
    public static ScheduledExecutorService scheduler(int threads, String name) {
        return new ScheduledThreadPoolExecutor(threads, withName(name), new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Returns a thread that has not been started. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
