package dev.spur.benchmarks;

/** The main class behind {@code ./spur bench}. */
public final class Bench {

    private Bench() {}

    /** Lists what can be measured. */
    public static void main(String[] args) {
        System.out.println("No benchmark is registered.");
    }
}
