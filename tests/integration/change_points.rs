//! Change points on the three families of made-up histories.

use lcmbench::stats::{change_points, discoveries};

use crate::common::steps::{Generator, Noise, Score, steps};

/// The smallest effect and the rate of false discoveries that `changes` uses by default.
const MINIMUM_EFFECT: f64 = 0.02;
const RATE: f64 = 0.05;

fn score(noise: Noise, count: usize, length: usize) -> Score {
    let mut generator = Generator(20_260_901);
    let histories: Vec<_> = (0..count)
        .map(|_| {
            let number = generator.below(5);
            steps(noise, length, number, &mut generator)
        })
        .collect();
    let found: Vec<_> = histories
        .iter()
        .map(|history| change_points(&history.series, MINIMUM_EFFECT))
        .collect();
    let probabilities: Vec<f64> = found.iter().flatten().map(|point| point.p).collect();
    let mut believed = discoveries(&probabilities, RATE).into_iter();
    let mut score = Score::default();
    for (history, points) in histories.iter().zip(&found) {
        let places: Vec<usize> = points
            .iter()
            .filter(|_| believed.next() == Some(true))
            .map(|point| point.at)
            .collect();
        score.count(&history.at, &places);
    }
    score
}

#[test]
fn steps_are_found_in_every_family_of_noise() {
    for noise in Noise::ALL {
        let score = score(noise, 120, 300);
        let words = noise.words();
        assert!(score.f1() >= 0.95, "{words}: F1 {:.3}", score.f1());
        let wrong = score.false_points();
        assert!(wrong <= 0.1, "{words}: {wrong:.3} false points a series");
    }
}

#[test]
fn the_same_series_gives_the_same_points() {
    let mut generator = Generator(5);
    let history = steps(Noise::HeavyTails, 400, 3, &mut generator);
    let points = change_points(&history.series, MINIMUM_EFFECT);
    assert_eq!(points, change_points(&history.series, MINIMUM_EFFECT));
    assert!(!points.is_empty());
    for point in points {
        assert!(point.earliest <= point.at && point.at <= point.latest);
    }
}
