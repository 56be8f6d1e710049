package dev.spur.service.jobs.lifecycle;

import java.util.List;

/**
 * Reason why a job can never run.
 *
 * @param isHardware whether more or other hardware would remove it; otherwise {@code message} ends with its remedy
 * @param message the reason as sentences
 */
record Obstacle(boolean isHardware, String message) {
    /** An obstacle that other hardware would remove. */
    static Obstacle ofHardware(String message) {
        return new Obstacle(true, message);
    }

    /** An obstacle that has a remedy of its own. */
    static Obstacle of(String cause, String remedy) {
        return new Obstacle(false, cause + " " + remedy);
    }

    /** The explanation above the messages: other hardware is the remedy only of what hardware prevents. */
    static String explanation(List<Obstacle> obstacles) {
        return obstacles.stream().allMatch(Obstacle::isHardware)
                ? "The job can never run on the registered hardware. Set waitForHardware to let it wait for other hardware."
                : "The job can never run as it is stated.";
    }
}
