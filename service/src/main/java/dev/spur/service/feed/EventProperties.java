package dev.spur.service.feed;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of event streams.
 *
 * @param maxStreams maximum open streams of a replica; further ones are rejected
 * @param heartbeat period of the heartbeats of a stream
 * @param maxDuration age at which the service ends a stream; the client connects and authenticates again
 */
@ConfigurationProperties("spur.events")
record EventProperties(
        @DefaultValue("500") int maxStreams,
        @DefaultValue("15s") Duration heartbeat,
        @DefaultValue("15m") Duration maxDuration) {}
