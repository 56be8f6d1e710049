package dev.spur.service;

import org.springframework.boot.SpringApplication;

/** The main class behind {@code ./spur}. */
public final class Spur {

    private Spur() {}

    /** Runs the service until it is told to stop. */
    public static void main(String[] args) {
        SpringApplication.run(SpurApplication.class, args);
    }
}
