use super::super::testing::Playground;
use super::*;

fn lines(play: &Playground, except: &[&str]) -> Vec<String> {
    let except: Vec<PathBuf> = except.iter().map(PathBuf::from).collect();
    let changes = play.open().status(&except).unwrap();
    changes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_clean_worktree_has_no_lines() {
    let play = Playground::new();
    play.commit("one", &[("a.py", "1"), (".gitignore", "*.pyc\n")]);
    play.write("a.pyc", "ignored");
    assert_eq!(lines(&play, &[]), Vec::<String>::new());
}

#[test]
fn every_kind_of_change_is_a_line_as_git_prints_it() {
    let play = Playground::new();
    play.commit(
        "one",
        &[
            ("a.py", "1"),
            ("b.py", "1"),
            ("gone.py", "1"),
            ("old.py", "a long enough text\n"),
        ],
    );
    play.write("a.py", "2");
    play.write("b.py", "2");
    play.git(&["add", "b.py"]);
    fs_err::remove_file(play.path("gone.py")).unwrap();
    play.git(&["mv", "old.py", "new.py"]);
    play.write("fresh.py", "1");
    play.write("folder/deep/x.py", "1");
    assert_eq!(
        lines(&play, &[]).join("\n"),
        play.git(&["status", "--porcelain", "--ignore-submodules"])
            .lines()
            .enumerate()
            // The helper trims the output, and with it the blank of a first ` M`.
            .map(|(n, line)| if n == 0 {
                format!(" {}", line.trim_start())
            } else {
                line.to_owned()
            })
            .collect::<Vec<_>>()
            .join("\n")
    );
    assert_eq!(
        lines(&play, &[]),
        [
            " M a.py",
            "M  b.py",
            " D gone.py",
            "R  old.py -> new.py",
            "?? folder/",
            "?? fresh.py"
        ]
    );
}

#[test]
fn excepted_folders_are_left_out_wherever_they_lie() {
    let play = Playground::new();
    play.commit("one", &[("a.py", "1"), ("results/kept.json", "1")]);
    play.write("results/kept.json", "2");
    play.write("results/new.json", "1");
    play.write(".asv/html/index.html", "1");
    play.write(".asv/results/x.json", "1");
    let html = play.path(".asv/html");
    let html = html.to_str().unwrap();
    assert_eq!(
        lines(&play, &["results", ".asv/results", html, "/elsewhere"]),
        Vec::<String>::new()
    );
    play.write(".asv/stray.txt", "1");
    play.write("results.txt", "1");
    assert_eq!(
        lines(&play, &["results/", ".asv/results", html]),
        ["?? .asv/stray.txt", "?? results.txt"]
    );
}

#[test]
fn a_file_moved_out_of_the_code_into_results_is_a_change() {
    let play = Playground::new();
    play.commit(
        "one",
        &[("a.py", "a long enough text\n"), ("results/x", "1")],
    );
    play.git(&["mv", "a.py", "results/a.py"]);
    assert_eq!(lines(&play, &["results"]), ["R  a.py -> results/a.py"]);
}

#[test]
fn odd_names_stay_one_line_each() {
    let play = Playground::new();
    play.commit("one", &[("a.py", "1")]);
    play.write("line\nbreak", "1");
    play.write("two words", "1");
    play.write("größe.py", "1");
    assert_eq!(
        lines(&play, &[]),
        ["?? größe.py", "?? \"line\\nbreak\"", "?? \"two words\""].map(str::to_owned)
    );
}

#[test]
fn the_users_wish_to_hide_untracked_files_does_not_count() {
    let play = Playground::new();
    play.commit("one", &[("a.py", "1")]);
    play.git(&["config", "status.showUntrackedFiles", "no"]);
    play.git(&["config", "status.relativePaths", "true"]);
    play.write("fresh.py", "1");
    assert_eq!(lines(&play, &[]), ["?? fresh.py"]);
}

#[test]
fn a_changed_submodule_is_not_listed() {
    let inner = Playground::new();
    inner.commit("inner", &[("a", "1")]);
    let play = Playground::new();
    let url = inner.root().to_str().unwrap();
    play.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        url,
        "sub",
    ]);
    play.commit("one", &[]);
    play.write("sub/a", "2");
    assert_eq!(lines(&play, &[]), Vec::<String>::new());
}

#[test]
fn a_bare_repository_has_no_status() {
    let play = Playground::new();
    play.commit("one", &[("a", "1")]);
    let folder = tempfile::tempdir().unwrap();
    let bare = folder.path().join("bare.git");
    play.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let repository = Repository::discover(&bare).unwrap();
    assert!(matches!(repository.status(&[]), Err(VcsError::Bare { .. })));
}
