package dev.spur.service;

import java.util.List;

/** Something that whoever starts the service must be told before it is said to be ready. */
public interface StartupMessage {
    /** The lines, in order; told once. */
    List<String> lines();
}
