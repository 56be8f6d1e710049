package dev.spur.model.validation;

/**
 * Something that is not as it must be.
 *
 * @param rule name of the rule that is broken, the same in tests and documents
 * @param subject what breaks it: a JSON pointer into the problem, or the id of a job, node or tenant
 * @param message what is wrong, with the values
 */
public record Violation(String rule, String subject, String message) {}
