package dev.spur.service.job.logs;

/** Memory whose exhaustion ended a process. */
public enum OutOfMemory {
    /** Memory of the host: the kernel killed the process. */
    HOST,
    /** Memory of a device, by the messages of the process. */
    DEVICE
}
