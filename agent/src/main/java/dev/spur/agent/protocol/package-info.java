/** The executor protocol as {@code openapi.yaml} has it: what is sent, what comes back, and a client that sends it. */
@NullMarked
package dev.spur.agent.protocol;

import org.jspecify.annotations.NullMarked;
